import type { Command } from "commander";
import { rawBody } from "../../raw-body.js";
import type { WebhookEvent } from "../../schema.js";
import { openContext } from "../context.js";
import { exitCodes } from "../failure.js";
import { formatMilliseconds, formatTime } from "../format.js";
import { eventLine, forwardedEvent, forwardOnce } from "../forward.js";
import { parseCount } from "../option-values.js";
import { type Output, writeCreated } from "../output.js";
import { printable } from "../printable.js";
import { endpointIdOf, parseTarget } from "../target.js";
import { timeoutOption } from "./listen.js";

export function addEvents(program: Command): void {
  const events = program
    .command("events")
    .summary("List, show and replay captured webhooks")
    .description("List, show and replay captured webhooks. To follow them: agent-infra listen.");
  addList(events);
  addShow(events);
  addReplay(events);
}

const ENDPOINT = "ID of a webhook endpoint (wh_…), or its capture URL";

interface ListOptions {
  method?: string;
  q?: string;
  limit: number;
}

function addList(events: Command): void {
  events
    .command("list")
    .summary("List captured events")
    .description("List the events of a webhook endpoint, newest first, one per line.")
    .argument("<endpoint>", ENDPOINT)
    .option("--method <method>", "only events with this HTTP method")
    .option("--q <text>", "only events with this text in their body, path or query")
    .option("--limit <count>", "how many at most", parseCount, 20)
    .action(async (endpoint: string, { method, q, limit }: ListOptions, command: Command) => {
      const { client, output } = await openContext(command);
      const query = { limit: Math.min(limit, 100), method, q };
      const found = client.webhooks.events.list(endpointIdOf(endpoint), query);
      await output.list(found, limit, "There are no such events.", (one) => lineOf(output, one));
    });
}

function addShow(events: Command): void {
  events
    .command("show")
    .summary("Show a captured event")
    .description("Show the headers and the body of a captured event.")
    .argument("<endpoint>", ENDPOINT)
    .argument("<event>", "ID of the event (wev_…)")
    .option("--raw", "print only the bytes of the body")
    .action(async (endpoint: string, id: string, { raw }: { raw?: boolean }, command: Command) => {
      const { client, output } = await openContext(command);
      const event = await client.webhooks.events.get(endpointIdOf(endpoint), id);
      const body = rawBody(event, { allowTruncated: true });
      const cut = event.body_truncated ? "\nThe service kept only the start of the body." : "";
      if (raw) {
        await output.bytes(body);
        if (cut) output.note(cut);
        return;
      }
      const headers = Object.entries(event.headers).map(
        ([name, value]) => `${printable(name)}: ${printable(value)}`,
      );
      output.result(event, [lineOf(output, event), ...headers, ""].join("\n"));
      if (output.json) return;
      await output.bytes(body);
      output.note(cut);
    });
}

interface ReplayOptions {
  to: URL;
  byService?: boolean;
  timeout: number;
}

function addReplay(events: Command): void {
  events
    .command("replay")
    .summary("Send a captured event again")
    .description(
      `Send a captured event again, with its method, sub-path, query, headers and bytes: from this
machine, as listen does, or by the service.`.replaceAll("\n", " "),
    )
    .argument("<endpoint>", ENDPOINT)
    .argument("<event>", "ID of the event (wev_…)")
    .requiredOption("--to <url>", "where to: a URL or a local port", parseTarget)
    .option("--by-service", "let the service send it; it cannot reach servers on your machine")
    .addOption(timeoutOption())
    .addHelpText(
      "after",
      `
Examples:
  agent-infra events replay wh_… wev_… --to 4000/hook
  agent-infra events replay wh_… wev_… --to https://example.com/hook --by-service`,
    )
    .action(async (endpoint: string, id: string, options: ReplayOptions, command: Command) => {
      const { client, output } = await openContext(command);
      const { to, byService, timeout } = options;
      const endpointId = endpointIdOf(endpoint);
      if (byService) {
        const message = await client.webhooks.events.replay(endpointId, id, { url: to.href });
        return writeCreated(output, message, `Sending it to ${to.href}: ${printable(message.id)}`);
      }
      const event = await client.webhooks.events.get(endpointId, id);
      const outcome = await forwardOnce(event, to, timeout);
      const { status, error, duration_ms } = outcome;
      output.result(
        forwardedEvent(event, to, outcome),
        `${printable(error ?? String(status))}  ${formatMilliseconds(duration_ms)}`,
      );
      if (status === null) process.exitCode = exitCodes.failure;
    });
}

function lineOf(output: Output, event: WebhookEvent): string {
  return eventLine(output, event, { time: formatTime(event.received_at) });
}
