import { text } from "node:stream/consumers";
import type { ReadableStream } from "node:stream/web";
import type { Command } from "commander";
import type { AnyInit } from "../../connection.js";
import { operations } from "../../operations.js";
import { type Context, openContext } from "../context.js";
import { CliError } from "../failure.js";
import { type Method, parseMethod } from "../option-values.js";
import { collectHeader, readInput } from "../payload.js";
import { indentedJson, printable, printableJson } from "../printable.js";
import { collectJson, collectText, type Fields } from "../request-fields.js";

interface ApiOptions {
  rawField: Fields;
  field: Fields;
  input?: string;
  header: [string, string][];
  paginate?: boolean;
  include?: boolean;
}

export function addApi(program: Command): void {
  program
    .command("api")
    .summary("Send any request to the API")
    .description(
      `Send a request with your credentials, and print the response. Fields are the query of a GET and
of a request with --input, and otherwise the JSON body.`.replaceAll("\n", " "),
    )
    .argument("<method>", "GET, POST, PUT, PATCH or DELETE", parseMethod)
    .argument("<path>", "path, such as /api/tasks")
    .option(
      "-f, --raw-field <key=value>",
      "a text; repeatable; key[]= and key[name]=",
      collectText,
      {},
    )
    .option(
      "-F, --field <key=value>",
      "a value in JSON, such as 5 or true; repeatable",
      collectJson,
      {},
    )
    .option("--input <file>", "the body: a file, or - for standard input")
    .option("-H, --header <header>", 'a header as "Name: value"; repeatable', collectHeader, [])
    .option("--paginate", "print every item of a list of all pages, one per line")
    .option("-i, --include", "print the status and headers of a success first")
    .addHelpText(
      "after",
      `
Examples:
  agent-infra api GET /api/tasks -f label=docs -F limit=5
  agent-infra api POST /api/tasks -f name=Write -f 'labels[]=docs' -F due_at=1800000000
  agent-infra api PATCH /api/tasks/tsk_… --input changes.json -H 'If-Match: "…"'
  agent-infra api GET /api/webhooks/wh_…/events --paginate

/docs of the service has every operation, and so has: agent-infra api GET /openapi.json`,
    )
    .action(async (method: Method, given: string, options: ApiOptions, command: Command) => {
      const context = await openContext(command);
      const { path, init } = await requestOf(context, method, given, options);
      if (options.paginate) await printItems(context, path, init);
      else await printResponse(context, method, path, init, options.include === true);
    });
}

async function requestOf(
  { baseUrl }: Context,
  method: Method,
  given: string,
  { rawField, field, input, header, paginate }: ApiOptions,
): Promise<{ path: string; init: AnyInit }> {
  if (paginate && method !== "GET") throw new CliError("usage", "--paginate is for GET.");
  if (method === "GET" && input !== undefined) {
    throw new CliError("usage", "A GET has no body: leave out --input, or choose another METHOD.");
  }
  const { path, query } = targetOf(baseUrl, given);
  const fields = { ...rawField, ...field };
  const isQuery = method === "GET" || input !== undefined;
  const hasBody = !isQuery && Object.keys(fields).length > 0;
  const body = input === undefined ? fields : new Uint8Array(await readInput(input));
  return {
    path,
    init: {
      headers: {
        ...(input !== undefined && { "Content-Type": "application/json" }),
        ...Object.fromEntries(header),
      },
      params: { query: isQuery ? { ...query, ...fields } : query },
      ...((hasBody || input !== undefined) && { body }),
    },
  };
}

/** Refuses other servers, which must not get the credentials. */
function targetOf(baseUrl: string, given: string) {
  const whole = /^https?:/i.test(given) ? given : `${baseUrl}/${given.replace(/^\/+/, "")}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url?.href.startsWith(`${baseUrl}/`)) {
    throw new CliError("usage", `The path must be one of ${baseUrl}, such as /api/tasks.`);
  }
  const path = (url.origin + url.pathname).slice(baseUrl.length);
  if (Object.hasOwn(operations, path.split("/")[1] ?? "")) {
    throw new CliError("usage", `Did you mean /api${path}?`);
  }
  const query: Record<string, string[]> = {};
  for (const name of url.searchParams.keys()) query[name] = url.searchParams.getAll(name);
  return { path, query };
}

async function printResponse(
  { client, output }: Context,
  method: Method,
  path: string,
  init: AnyInit,
  withHeaders: boolean,
): Promise<void> {
  const { data, response } = await call(client, method)(path, { ...init, parseAs: "stream" });
  if (withHeaders) {
    const headers = Array.from(response.headers, ([name, value]) => `${name}: ${printable(value)}`);
    output.result(
      {
        object: "response",
        status: response.status,
        headers: Object.fromEntries(response.headers),
      },
      `${[response.status, ...headers].join("\n")}\n`,
    );
  }
  if (!data) return;
  if (!/\bjson\b/.test(response.headers.get("content-type") ?? "")) {
    for await (const bytes of data) {
      if (output.closed.aborted) return;
      await output.bytes(bytes);
    }
    return;
  }
  const value = JSON.parse(await text(data));
  output.result(value, process.stdout.isTTY ? indentedJson(value) : printableJson(value));
}

async function printItems({ client, output }: Context, path: string, init: AnyInit) {
  const items = client.list(path as "/api/tasks", init as object);
  for await (const item of items) {
    output.result(item, printableJson(item));
    if (output.closed.aborted) return;
  }
}

/** A call whose path is not known to the types. */
function call(client: Context["client"], method: Method) {
  return client[method] as unknown as (
    path: string,
    init: AnyInit,
  ) => Promise<{ data: ReadableStream<Uint8Array> | undefined; response: Response }>;
}
