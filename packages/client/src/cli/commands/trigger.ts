import { text } from "node:stream/consumers";
import { type Command, Option } from "commander";
import { ApiError } from "../../api-error.js";
import { send } from "../../send.js";
import { type Context, openContext } from "../context.js";
import { CliError } from "../failure.js";
import { parseMethod } from "../option-values.js";
import { collectHeader, readData } from "../payload.js";
import { printable } from "../printable.js";
import { samples } from "../samples.js";
import { endpointIdOf } from "../target.js";

const CAPTURE_MS_MAX = 60_000;

interface TriggerOptions {
  sample?: keyof typeof samples;
  data?: string;
  header: [string, string][];
  secret?: string;
  method: string;
  path: string;
}

export function addTrigger(program: Command): void {
  program
    .command("trigger")
    .summary("Send a sample event to a webhook endpoint")
    .description("Send a sample event to a webhook endpoint, as GitHub, Stripe or Slack would.")
    .argument("<endpoint>", "ID of a webhook endpoint (wh_…), or its capture URL")
    .addOption(
      new Option("--sample <name>", "what to send (default: plain)").choices(Object.keys(samples)),
    )
    .option("--data <data>", "body instead of the sample's: text, @FILE, or - for standard input")
    .option("--header <header>", 'a header as "Name: value"; repeatable', collectHeader, [])
    .option(
      "--secret <secret>",
      "sign the body as the service of the sample does (plain: GitHub); - for standard input",
    )
    .option("--method <method>", "HTTP method", parseMethod, "POST")
    .option("--path <path>", "path and query below the capture URL", "")
    .addHelpText(
      "after",
      `
Examples:
  agent-infra trigger wh_… --sample github --secret - < secret.txt
  agent-infra trigger wh_… --data '{"paid": true}' --header "X-Source: test"
  agent-infra trigger wh_… --data @payload.json --path '/orders?id=7'`,
    )
    .action(async (endpoint: string, options: TriggerOptions, command: Command) => {
      const context = await openContext(command);
      const id = endpointIdOf(endpoint);
      const { headers, body } = await requestOf(options);
      await assertExists(context, id);
      const { event_id } = await capture(context, id, { ...options, headers, body });
      context.output.result(
        { object: "triggered_event", endpoint_id: id, event_id },
        `Sent ${options.sample ?? "plain"} to ${printable(id)}: ${printable(event_id)}`,
      );
    });
}

/**
 * The sample, or the given body with the sample's headers. A given header replaces the sample's.
 */
async function requestOf({ sample: name, data, secret: given, header, method }: TriggerOptions) {
  const isBodiless = method === "GET";
  if (isBodiless && data !== undefined) {
    throw new CliError("usage", "A GET has no body: leave out --data, or choose another --method.");
  }
  const secret = given === "-" ? await readSecret(data) : given;
  const sample = samples[name ?? "plain"]();
  const content = isBodiless ? "" : JSON.stringify(sample.body);
  const body = data === undefined ? Buffer.from(content) : await readData(data);
  const now = Math.floor(Date.now() / 1000);
  const signature = secret === undefined ? {} : sample.sign(body, secret, now);
  const headers = new Headers({ ...sample.headers, ...signature });
  for (const [name, value] of header) headers.set(name, value);
  return { headers, body };
}

/** From standard input, which keeps it out of the list of processes. */
async function readSecret(data: string | undefined): Promise<string> {
  if (data === "-" || data === "@-") {
    throw new CliError("usage", "Standard input is either the secret or the data.");
  }
  const secret = (await text(process.stdin)).trim();
  if (secret === "") throw new CliError("usage", "The secret is empty.");
  return secret;
}

/**
 * Looks up the endpoint, since its capture URL returns 200 either way. A 403 means that it exists.
 */
async function assertExists({ client }: Context, id: string) {
  await client.webhooks.get(id).catch((error) => {
    if (!(error instanceof ApiError && error.status === 403)) throw error;
  });
}

async function capture(
  { baseUrl }: Context,
  id: string,
  { method, path, headers, body }: { method: string; path: string; headers: Headers; body: Buffer },
): Promise<{ event_id: string }> {
  const below = path === "" || /^[/?]/.test(path) ? path : `/${path}`;
  const url = `${baseUrl}/api/catch/${encodeURIComponent(id)}${below}`;
  const sent = method === "GET" ? undefined : new Uint8Array(body);
  const response = await send(
    { url, method, headers, body: sent, repeatable: false },
    { fetch, maxRetries: 0, timeoutMs: CAPTURE_MS_MAX },
  );
  return response.json();
}
