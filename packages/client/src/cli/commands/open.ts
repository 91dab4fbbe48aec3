import type { Command } from "commander";
import { openContext } from "../context.js";
import { CliError } from "../failure.js";
import { openBrowser } from "../loopback.js";

/** The pages of resources, by the prefix of their IDs. */
const PAGES: Record<string, string> = {
  tsk: "tasks",
  wh: "webhooks",
  art: "artifacts",
  msg: "messages",
  inbox: "inboxes",
  sch: "schedules",
  qst: "questions",
};

export function addOpen(program: Command): void {
  program
    .command("open")
    .summary("Open the dashboard in your browser")
    .description("Open the dashboard, or the page of a resource, in your browser.")
    .argument(
      "[id]",
      "ID of a task, webhook endpoint, artifact, message, inbox, schedule or question",
    )
    .option("--no-browser", "only print the address")
    .action(async (id: string | undefined, { browser }: { browser: boolean }, command: Command) => {
      const { baseUrl, output } = await openContext(command);
      const url = `${baseUrl}/${id === undefined ? "dashboard" : pathOf(id)}`;
      output.result({ object: "page", url }, url);
      if (browser) openBrowser(url);
    });
}

function pathOf(id: string): string {
  const page = PAGES[id.split("_")[0] ?? ""];
  if (page && /^[a-z]+_\w+$/.test(id)) return `${page}/${id}`;
  const prefixes = Object.keys(PAGES).map((prefix) => `${prefix}_`);
  throw new CliError("usage", `The ID must begin with one of ${prefixes.join(", ")}.`);
}
