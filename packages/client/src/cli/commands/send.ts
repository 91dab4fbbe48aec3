import { type Command, Option } from "commander";
import { openContext } from "../context.js";
import { formatTime } from "../format.js";
import { METHODS, type Method, parseDuration, parseTime } from "../option-values.js";
import { writeCreated } from "../output.js";
import { collectHeader, readData, textOf } from "../payload.js";
import { printable } from "../printable.js";

interface SendOptions {
  in?: number;
  at?: number;
  method: Method;
  data?: string;
  header: [string, string][];
}

export function addSend(program: Command): void {
  program
    .command("send")
    .summary("Send an HTTP request later")
    .description("Have the service send an HTTP request, now or at a later time, with retries.")
    .argument("<url>", "where to send it")
    .addOption(
      new Option("--in <duration>", "send it after this time, such as 10m or 2h")
        .argParser(parseDuration)
        .conflicts("at"),
    )
    .option("--at <time>", "send it at this time: 2026-01-31T12:00Z, or Unix seconds", parseTime)
    .addOption(new Option("--method <method>", "HTTP method").choices(METHODS).default("POST"))
    .option("--data <data>", "body: text, @FILE, or - for standard input")
    .option("--header <header>", 'a header as "Name: value"; repeatable', collectHeader, [])
    .addHelpText(
      "after",
      `
Examples:
  agent-infra send https://example.com/hook --in 10m --data '{"remind": true}'
  agent-infra send https://example.com/hook --at 2026-01-31T12:00Z --header "X-Token: abc"`,
    )
    .action(async (url: string, options: SendOptions, command: Command) => {
      const { client, output } = await openContext(command);
      const body =
        options.data === undefined ? undefined : textOf(await readData(options.data), "--data");
      const message = await client.messages.create({
        url,
        method: options.method,
        body,
        headers: options.header.length > 0 ? Object.fromEntries(options.header) : undefined,
        delay_seconds: options.at === undefined ? (options.in ?? 0) : undefined,
        scheduled_at: options.at,
      });
      const time = formatTime(message.scheduled_at);
      const text = `${options.method} ${printable(message.url)} at ${time}: ${printable(message.id)}`;
      writeCreated(output, message, text);
    });
}
