import type { Command } from "commander";
import { openContext } from "../context.js";
import { CliError, exitCodes } from "../failure.js";
import { formatMilliseconds } from "../format.js";
import { printable } from "../printable.js";

export function addStatus(program: Command): void {
  program
    .command("status")
    .summary("Show whether the service works")
    .description(
      "Show whether the service works, its version, and who you are there. Exit code 1 if it is degraded.",
    )
    .action(async (_options, command: Command) => {
      const { client, output, baseUrl } = await openContext(command);
      const began = performance.now();
      const health = await client.health.get();
      const duration_ms = Math.round(performance.now() - began);
      if (health?.status === undefined) {
        throw new CliError("failure", `${baseUrl} is another service.`);
      }
      const me = await client.me.get();
      const { status, reason, version } = health;
      const name = me.organization_name ?? me.organization_id;
      output.result(
        { object: "status", base_url: baseUrl, duration_ms, health, me },
        [
          `${baseUrl}: ${printable(status)}, version ${printable(version)}, ${formatMilliseconds(duration_ms)}`,
          ...(reason ? [printable(reason)] : []),
          me.kind === "anonymous"
            ? 'Not signed in. Run "agent-infra login".'
            : `Signed in for ${printable(name ?? "no organization yet")}: ${me.scopes.join(", ")}`,
        ].join("\n"),
      );
      if (status !== "ok") process.exitCode = exitCodes.failure;
    });
}
