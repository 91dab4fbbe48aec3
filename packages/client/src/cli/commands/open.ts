import type { Command } from "commander";
import { pages } from "../../operations.js";
import { openContext } from "../context.js";
import { CliError } from "../failure.js";
import { openBrowser } from "../loopback.js";

const PREFIXES = Object.keys(pages).map((prefix) => `${prefix}_`);

export function addOpen(program: Command): void {
  program
    .command("open")
    .summary("Open the dashboard in your browser")
    .description("Open the dashboard, or the page of a resource, in your browser.")
    .argument("[id]", `ID of a resource (${PREFIXES.join(", ")})`)
    .option("--no-browser", "only print the address")
    .action(async (id: string | undefined, { browser }: { browser: boolean }, command: Command) => {
      const { baseUrl, output } = await openContext(command);
      const url = `${baseUrl}/${id === undefined ? "dashboard" : pathOf(id)}`;
      output.result({ object: "page", url }, url);
      if (browser) openBrowser(url);
    });
}

function pathOf(id: string): string {
  const page: string | undefined = Object(pages)[id.split("_")[0] ?? ""];
  if (page && /^[a-z]+_\w+$/.test(id)) return `${page}/${id}`;
  throw new CliError("usage", `The ID must begin with one of ${PREFIXES.join(", ")}.`);
}
