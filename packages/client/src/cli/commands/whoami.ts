import type { Command } from "commander";
import { openContext } from "../context.js";
import { CliError, exitCodes } from "../failure.js";
import { formatTime } from "../format.js";
import { printable } from "../printable.js";

export function addWhoami(program: Command): void {
  program
    .command("whoami")
    .summary("Show who you are signed in as")
    .description(
      "Show the server, the organization and the scopes of your key. Exit code 3 without one.",
    )
    .action(async (_options, command: Command) => {
      const { client, output, baseUrl } = await openContext(command);
      const me = await client.me.get();
      if (me?.object !== "me") throw new CliError("failure", `${baseUrl} is another service.`);
      const name = printable(me.organization_name ?? me.organization_id ?? "no organization yet");
      const key = printable(me.key_name ?? me.key_id ?? "");
      const until = me.expires_at === null ? "" : `, until ${formatTime(me.expires_at)}`;
      output.result(
        { base_url: baseUrl, ...me },
        me.kind === "anonymous"
          ? `Not signed in to ${baseUrl}. What you create there is public. Run "agent-infra login".`
          : `${name} at ${baseUrl}\n${me.kind} ${key}: ${me.scopes.join(", ")}${until}`,
      );
      if (me.kind === "anonymous") process.exitCode = exitCodes.forbidden;
    });
}
