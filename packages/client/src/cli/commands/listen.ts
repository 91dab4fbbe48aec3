import type { Command, Option } from "commander";
import { newestEvent } from "../../events.js";
import type { CreatedWebhookEndpoint, WebhookEndpoint, WebhookEvent } from "../../schema.js";
import { type Context, type GlobalOptions, openContext } from "../context.js";
import { CliError, exitCodes } from "../failure.js";
import { formatMilliseconds } from "../format.js";
import { eventLine, forward, forwardedEvent, type Outcome } from "../forward.js";
import { watchInterruption } from "../interruption.js";
import { durationOption, parseDuration } from "../option-values.js";
import { CONNECTING_AGAIN, type Output, writeCreated } from "../output.js";
import { printable } from "../printable.js";
import { endpointIdOf, parseTarget } from "../target.js";

/** How many events the service keeps while the target or the connection is down. */
export const EVENTS_KEPT = 10_000;
export const RESPONSE_SECONDS = 30;

interface ListenOptions extends GlobalOptions {
  to?: URL;
  since?: string;
  timeout: number;
}

export function addListen(program: Command): void {
  program
    .command("listen")
    .summary("Forward captured webhooks to a local server")
    .description(
      `Capture webhooks and forward each one, once and in order, with its method, sub-path, query,
headers and bytes. Without ENDPOINT, a new endpoint is made. While the target cannot be reached,
events wait at the service. A response with any status counts as forwarded.`.replaceAll("\n", " "),
    )
    .argument("[endpoint]", "ID of a webhook endpoint (wh_…); a new one if left out")
    .option(
      "--to <url>",
      "where to forward: a URL or a local port; without it, only print",
      parseTarget,
    )
    .option("--since <event>", "start after this event; wev_0 starts at the oldest (default: now)")
    .addOption(timeoutOption())
    .addHelpText(
      "after",
      `
Examples:
  agent-infra listen --to 4000                    # a new endpoint, to http://localhost:4000
  agent-infra listen wh_… --to http://localhost:4000/hook
  agent-infra listen wh_… --to 4000 --since wev_… # continue where you stopped
  agent-infra listen wh_… --json                  # print each event as a line of JSON`,
    )
    .action(async (id: string | undefined, _options, command: Command) => {
      await listen(await openContext(command), id, command.optsWithGlobals());
    });
}

/** The time limit of a local delivery, of at least a second. */
export function timeoutOption(): Option {
  return durationOption(
    "--timeout <duration>",
    "how long to wait for the target's response",
    `${RESPONSE_SECONDS}s`,
  ).argParser((text) => Math.max(1, parseDuration(text)));
}

async function listen(context: Context, id: string | undefined, options: ListenOptions) {
  const { client, output } = context;
  const interruption = watchInterruption(() => process.exit(exitCodes.interrupted));
  const signal = AbortSignal.any([interruption, output.closed]);
  const endpoint = await findEndpoint(context, id, signal);
  // Read before the URL is printed, so that everything that arrives afterwards is forwarded.
  let since =
    options.since ?? (id === undefined ? "wev_0" : await newestEvent(client, endpoint.id, signal));
  if (options.to && endpointIdOf(options.to.href) === endpoint.id) {
    throw new CliError("usage", "--to is the endpoint itself: each event would make the next one.");
  }
  announce(output, endpoint, options.to);

  let inHand = false;
  interruption.addEventListener("abort", () => {
    if (inHand) output.note("Stopping after this event. Press Ctrl-C again to stop at once.");
  });
  let broken = false;
  const onBreak = () => {
    if (!broken) output.note(CONNECTING_AGAIN);
    broken = true;
  };
  let count = 0;
  const forwarding = { timeout: options.timeout, output, signal };
  try {
    for await (const event of client.events(endpoint.id, { since, signal, onBreak })) {
      broken = false;
      inHand = true;
      const outcome = options.to && (await forward(event, options.to, forwarding));
      inHand = false;
      if (options.to && !outcome) break;
      print(output, event, options.to, outcome);
      since = event.id;
      count += 1;
    }
  } finally {
    // Runs also when the service refuses to continue, for example because the key was revoked.
    conclude(output, { endpoint, since, count, options });
  }
}

async function findEndpoint({ client }: Context, id: string | undefined, signal: AbortSignal) {
  if (id !== undefined) return client.webhooks.get(endpointIdOf(id), { signal });
  const made = { name: "agent-infra listen", max_events: EVENTS_KEPT };
  return client.webhooks.create(made, { signal });
}

function announce(
  output: Output,
  endpoint: WebhookEndpoint | CreatedWebhookEndpoint,
  to: URL | undefined,
) {
  const url = output.style("bold", printable(endpoint.url));
  writeCreated(output, endpoint, `${url}  →  ${to?.href ?? "(printed only)"}`);
  output.note("Waiting for requests. Press Ctrl-C to stop.");
}

function print(
  output: Output,
  event: WebhookEvent,
  to: URL | undefined,
  outcome: Outcome | undefined,
) {
  const time = new Date(event.received_at * 1000).toTimeString().slice(0, 8);
  if (!to || !outcome) return output.result(event, eventLine(output, event, { time }));
  const { status, error, duration_ms } = outcome;
  const colour = status !== null && status < 400 ? "green" : "red";
  const result = output.style(colour, printable(error ?? String(status)));
  output.result(
    forwardedEvent(event, to, outcome),
    eventLine(output, event, { time, result: `${result}  ${formatMilliseconds(duration_ms)}` }),
  );
}

/** Says how to continue from where it stopped. */
function conclude(
  output: Output,
  stopped: { endpoint: WebhookEndpoint; since: string; count: number; options: ListenOptions },
) {
  const { endpoint, since, count, options } = stopped;
  const { url, to, timeout } = options;
  const next = [
    `agent-infra listen ${endpoint.id}`,
    ...(url ? [`--url ${quoted(url)}`] : []),
    ...(to ? [`--to ${quoted(to.href)}`] : []),
    ...(timeout === RESPONSE_SECONDS ? [] : [`--timeout ${timeout}s`]),
    `--since ${since}`,
  ].join(" ");
  output.result(
    {
      object: "listen_result",
      endpoint_id: endpoint.id,
      events: count,
      since,
      continue_with: next,
    },
    `Stopped after ${count} ${count === 1 ? "event" : "events"}. Continue with:\n  ${next}`,
  );
}

/** A URL as one shell word. */
function quoted(url: string): string {
  return /^[\w:/.%-]+$/.test(url) ? url : `'${url.replaceAll("'", "%27")}'`;
}
