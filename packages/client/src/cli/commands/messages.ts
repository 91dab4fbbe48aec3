import { type Command, Option } from "commander";
import type { ScheduledMessage } from "../../schema.js";
import { openContext, requireKey } from "../context.js";
import { formatTime } from "../format.js";
import { parseCount } from "../option-values.js";
import type { Output } from "../output.js";
import { printable } from "../printable.js";

const STATUSES = ["scheduled", "delivering", "delivered", "failed", "canceled"] as const;

interface ListOptions {
  status?: (typeof STATUSES)[number];
  limit: number;
}

export function addMessages(program: Command): void {
  const messages = program
    .command("messages")
    .summary("List, retry and cancel messages")
    .description("List, retry and cancel messages. To make one: agent-infra send.");
  messages
    .command("list")
    .summary("List messages")
    .description("List the messages of your organization, newest first, one per line.")
    .addOption(new Option("--status <status>", "only these").choices(STATUSES))
    .option("--limit <count>", "how many at most", parseCount, 20)
    .action(async ({ status, limit }: ListOptions, command: Command) => {
      const { client, output } = requireKey(await openContext(command));
      const query = { limit: Math.min(limit, 100), status };
      await output.list(client.messages.list(query), limit, "There are no such messages.", (one) =>
        lineOf(output, one),
      );
    });
  for (const [name, summary, description] of CHANGES) {
    messages
      .command(name)
      .summary(summary)
      .description(description)
      .argument("<message>", "ID of the message (msg_…)")
      .action(async (id: string, _options, command: Command) => {
        const { client, output } = await openContext(command);
        const message = await client.messages[name](id);
        output.result(message, lineOf(output, message));
      });
  }
}

const CHANGES = [
  ["retry", "Send a failed message again", "Send a failed, canceled or held message again, now."],
  [
    "cancel",
    "Cancel a scheduled message",
    "Cancel a message that is scheduled or waits for a retry.",
  ],
] as const;

function lineOf(output: Output, message: ScheduledMessage): string {
  const { id, status, method, url, scheduled_at, response_status, last_error } = message;
  const colour = status === "failed" ? "red" : status === "delivered" ? "green" : "cyan";
  const result = last_error ?? (response_status === null ? "" : String(response_status));
  return [
    output.style("dim", printable(id)),
    output.style(colour, printable(status).padEnd(10)),
    scheduled_at === null ? "" : formatTime(scheduled_at),
    `${printable(method)} ${printable(url)}`,
    printable(result),
  ]
    .filter(Boolean)
    .join("  ");
}
