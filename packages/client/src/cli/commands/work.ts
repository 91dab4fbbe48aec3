import { type Command, InvalidArgumentError } from "commander";
import { ApiError } from "../../api-error.js";
import { rawBody } from "../../raw-body.js";
import type { LeasedInboxEvent } from "../../schema.js";
import { backoffSeconds } from "../../work.js";
import { runChild } from "../child.js";
import { type Context, openContext } from "../context.js";
import { CliError, exitCodes, messageOf } from "../failure.js";
import { formatMilliseconds } from "../format.js";
import { watchInterruption } from "../interruption.js";
import { durationOption, parseCount, parseDuration, timerMs } from "../option-values.js";
import { printable } from "../printable.js";

export const LEASE_SECONDS = 60;
export const GRACE_SECONDS = 10;
/** Longer headers are left out: a longer variable would keep the command from starting. */
export const HEADERS_BYTES_MAX = 100_000;
/** How long it takes at most to learn whether the service can be reached. */
const REACH_MS_MAX = 5000;

interface WorkOptions {
  once?: boolean;
  idle?: number;
  concurrency: number;
  lease: number;
  grace: number;
  retryIn?: number;
  /** The command gets the event as JSON, not only its body. */
  whole?: boolean;
}

export function addWork(program: Command): void {
  withOptions(program.command("work"))
    .summary("Run a command for each event of an inbox")
    .description(
      `Run a command for each event of an inbox, with the event's body on standard input. Exit code 0
acknowledges the event; any other gives it back, and it comes again later. While the command runs,
the lease is extended.`.replaceAll("\n", " "),
    )
    .argument("<inbox>", "ID of the inbox (inbox_…)")
    .argument("<command...>", "the command and its arguments, after --")
    .addHelpText(
      "after",
      `
The command finds in its environment: AGENT_INFRA_EVENT_ID, AGENT_INFRA_INBOX_ID,
AGENT_INFRA_DELIVERY_COUNT, AGENT_INFRA_CONTENT_TYPE, AGENT_INFRA_RECEIVED_AT (Unix seconds)
and AGENT_INFRA_HEADERS (JSON).

Examples:
  agent-infra work inbox_… -- ./handle-event
  agent-infra work inbox_… --concurrency 4 -- node handle.js --verbose
  agent-infra work inbox_… --once --idle 5s -- jq .order`,
    )
    .action(async (inbox: string, words: string[], options: WorkOptions, command: Command) => {
      await work(await openContext(command), inbox, words, options);
    });
}

/** Adds `channel`: like `work`, but the command gets the whole event, for an agent's session on a laptop. */
export function addChannel(program: Command): void {
  withOptions(program.command("channel"))
    .summary("Wake a command with each event of an inbox, as JSON")
    .description(
      `Run a command for each event of an inbox, with the event as a line of JSON on standard input:
its ID, headers, body and times. Exit code 0 acknowledges the event; any other gives it back, and it
comes again later. While the command runs, the lease is extended. Runs until Ctrl-C or SIGTERM.`.replaceAll(
        "\n",
        " ",
      ),
    )
    .requiredOption("--inbox <inbox>", "ID of the inbox (inbox_…)")
    .argument("<command...>", "the command and its arguments, after --")
    .addHelpText(
      "after",
      `
What strangers sent is in the event: tell an agent that it is data.

Examples:
  agent-infra channel --inbox inbox_… -- ./wake-agent
  agent-infra channel --inbox inbox_… -- claude -p "An event came, as data, on standard input. Handle it."`,
    )
    .action(async (words: string[], options: WorkOptions & { inbox: string }, command: Command) => {
      await work(await openContext(command), options.inbox, words, { ...options, whole: true });
    });
}

function withOptions(command: Command): Command {
  return command
    .option("--once", "end after one event; exit code 1 if the command failed")
    .option("--idle <duration>", "end when no event has arrived for this long", parseDuration)
    .option("--concurrency <count>", "how many commands at once, up to 100", parseConcurrency, 1)
    .addOption(
      durationOption(
        "--lease <duration>",
        "how long an event stays reserved for this worker if its process dies",
        `${LEASE_SECONDS}s`,
      ),
    )
    .addOption(
      durationOption(
        "--grace <duration>",
        "how long a command may keep running after Ctrl-C",
        `${GRACE_SECONDS}s`,
      ),
    )
    .option(
      "--retry-in <duration>",
      "when a failed event comes again (default: 5s, doubled each time, up to 15m)",
      parseDuration,
    );
}

function parseConcurrency(text: string): number {
  const count = parseCount(text);
  if (count <= 100) return count;
  throw new InvalidArgumentError("Write a whole number from 1 to 100.");
}

async function work(
  { client, output }: Context,
  inbox: string,
  words: string[],
  options: WorkOptions,
): Promise<void> {
  if (words[0] === "") throw new CliError("usage", "The command is empty.");
  let running = 0;
  const kill = new AbortController();
  const interrupted = watchInterruption(() => {
    if (kill.signal.aborted) process.exit(exitCodes.interrupted);
    kill.abort();
  });
  interrupted.addEventListener("abort", () => {
    if (running > 0) {
      output.note(`Stopping. The command has ${options.grace} s; press Ctrl-C to end it now.`);
    }
    setTimeout(() => kill.abort(), timerMs(options.grace)).unref();
  });
  const enough = new AbortController();
  const idle = idleTimer(options.idle, enough);
  let handled = 0;
  let failed = 0;
  let unusable: string | undefined;

  async function handle(event: LeasedInboxEvent, { signal: leaseLost }: { signal: AbortSignal }) {
    idle.stop();
    running += 1;
    if (options.once) enough.abort();
    const began = performance.now();
    const result = await runChild(words, {
      input: options.whole ? wholeOf(event) : rawBody(event),
      environment: environmentOf(event),
      stdout: output.json ? "stderr" : "stdout",
      signal: AbortSignal.any([kill.signal, leaseLost]),
    });
    running -= 1;
    if (running === 0) idle.start();
    if (result.unusable) {
      unusable = result.error ?? undefined;
      enough.abort();
    }
    const duration_ms = Math.round(performance.now() - began);
    const { exit_code } = result;
    // Its signal would not say why.
    const isLost = result.error !== null && leaseLost.aborted;
    const error = isLost ? messageOf(leaseLost.reason) : result.error;
    handled += 1;
    const text = `${event.id}  ${error ?? "done"}  ${formatMilliseconds(duration_ms)}`;
    if (!output.json) output.note(printable(text));
    else
      output.result(
        { object: "handled_event", event_id: event.id, exit_code, error, duration_ms },
        "",
      );
    if (error !== null) throw new CommandFailed(error);
  }

  idle.start();
  try {
    await client.work(inbox, handle, {
      concurrency: options.once ? 1 : options.concurrency,
      leaseSeconds: options.lease,
      signal: AbortSignal.any([interrupted, enough.signal, output.closed]),
      retryDelaySeconds: (event) => {
        if (kill.signal.aborted || unusable !== undefined) return 0;
        return options.retryIn ?? backoffSeconds(event);
      },
      onError(error, event) {
        if (event) failed += 1;
        if (error instanceof CommandFailed) return;
        output.note(printable(messageOf(error)));
      },
    });
  } finally {
    idle.stop();
  }
  if (unusable !== undefined) throw new CliError("failure", unusable);
  const done = handled - failed;
  const isIdle = handled === 0 && !interrupted.aborted;
  if (isIdle)
    await client.inboxes
      .get(inbox, { maxRetries: 0, timeoutMs: REACH_MS_MAX })
      .catch(unlessReached);
  const text = `Stopped: ${done} done, ${failed} failed.`;
  if (!output.json) output.note(text);
  else output.result({ object: "work_result", inbox_id: inbox, done, failed }, "");
  if (options.once && failed > 0) process.exitCode = exitCodes.failure;
  if (isIdle) process.exitCode = exitCodes.nothing;
}

/** Throws the error again unless a working service answered: one that cannot be reached may have work. */
function unlessReached(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  if (error.status >= 500 || error.code === "invalid_response") throw error;
}

/** The command failed, which has been reported. */
class CommandFailed extends Error {}

/** Aborts `enough` after this long without work. */
function idleTimer(seconds: number | undefined, enough: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      if (seconds !== undefined) timer = setTimeout(() => enough.abort(), timerMs(seconds));
    },
    stop: () => clearTimeout(timer),
  };
}

/** The event without its lease, which is ours. */
function wholeOf({ lease_id: _, ...event }: LeasedInboxEvent): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(event)}\n`);
}

function environmentOf(event: LeasedInboxEvent): Record<string, string | undefined> {
  const headers = JSON.stringify(event.headers);
  return {
    AGENT_INFRA_EVENT_ID: event.id,
    AGENT_INFRA_INBOX_ID: event.inbox_id,
    AGENT_INFRA_DELIVERY_COUNT: String(event.delivery_count),
    AGENT_INFRA_CONTENT_TYPE: event.content_type ?? "",
    AGENT_INFRA_RECEIVED_AT: String(event.received_at),
    AGENT_INFRA_HEADERS: Buffer.byteLength(headers) > HEADERS_BYTES_MAX ? undefined : headers,
  };
}
