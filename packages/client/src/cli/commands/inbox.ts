import type { Command } from "commander";
import { openContext } from "../context.js";
import { formatSeconds } from "../format.js";
import { parseCount, parseDuration } from "../option-values.js";
import { writeCreated } from "../output.js";
import { collectHeader, readData } from "../payload.js";
import { printable } from "../printable.js";

export function addInbox(program: Command): void {
  const inbox = program
    .command("inbox")
    .summary("Make inboxes, send to them and count their events")
    .description(
      "Make inboxes, send to them and count their events. To receive: agent-infra work.",
    );
  addAdd(inbox);
  addSend(inbox);
  addStats(inbox);
}

function addAdd(inbox: Command): void {
  inbox
    .command("add")
    .summary("Make an inbox")
    .description("Make an inbox, a durable queue behind one URL.")
    .argument("<name>", "what it is for")
    .option("--max-events <count>", "how many events it holds", parseCount)
    .action(async (name: string, { maxEvents }: { maxEvents?: number }, command: Command) => {
      const { client, output } = await openContext(command);
      const created = await client.inboxes.create({ name, max_events: maxEvents });
      const text = `${printable(created.id)}  ${printable(created.ingest_url)}`;
      writeCreated(output, created, text);
    });
}

interface SendOptions {
  data: string;
  in?: number;
  dedupId?: string;
  header: [string, string][];
}

function addSend(inbox: Command): void {
  inbox
    .command("send")
    .summary("Add an event to an inbox")
    .description("Add an event to an inbox. JSON is sent as JSON, and anything else as text.")
    .argument("<inbox>", "ID of the inbox (inbox_…)")
    .requiredOption("--data <data>", "body: text, @FILE, or - for standard input")
    .option("--in <duration>", "how long to hide it from workers, such as 10m", parseDuration)
    .option("--dedup-id <id>", "add nothing while an event with this ID is pending")
    .option("--header <header>", 'a header as "Name: value"; repeatable', collectHeader, [])
    .addHelpText(
      "after",
      `
Examples:
  agent-infra inbox send inbox_… --data '{"order": 7}'
  agent-infra inbox send inbox_… --data @order.xml --header "Content-Type: text/xml"`,
    )
    .action(async (id: string, options: SendOptions, command: Command) => {
      const { client, output } = await openContext(command);
      const body = new Uint8Array(await readData(options.data));
      const { dedupId: dedup_id, in: delay_seconds, header } = options;
      const receipt = await client.inboxes.events.ingest(id, body, {
        headers: { "Content-Type": typeOf(body), ...Object.fromEntries(header) },
        query: { delay_seconds, dedup_id },
      });
      // Without an ID it is a repeat of this request, whose response was lost.
      const isPending = dedup_id !== undefined && receipt.deduplicated;
      const state = isPending ? "already pending" : receipt.state;
      output.result(receipt, `${printable(receipt.id)}  ${printable(state)}`);
    });
}

function addStats(inbox: Command): void {
  inbox
    .command("stats")
    .summary("Count the events of an inbox")
    .description("Count the events of an inbox by state, and those that have left it.")
    .argument("<inbox>", "ID of the inbox (inbox_…)")
    .action(async (id: string, _options, command: Command) => {
      const { client, output } = await openContext(command);
      const stats = await client.inboxes.stats.get(id);
      const { ready, delayed, leased, dead, oldest_ready_age_seconds: age, totals } = stats;
      const oldest = age === null ? "" : `, the oldest for ${formatSeconds(age)}`;
      output.result(
        stats,
        `${ready} ready${oldest}; ${delayed} delayed, ${leased} leased, ${dead} dead
${totals.ingested} in all: ${totals.acknowledged} acknowledged, ${totals.expired} expired, ${totals.purged} purged`,
      );
    });
}

function typeOf(body: Uint8Array): string {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return "application/json";
  } catch (error) {
    return error instanceof SyntaxError ? "text/plain; charset=utf-8" : "application/octet-stream";
  }
}
