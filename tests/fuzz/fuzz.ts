import http from "node:http";
import fc from "fast-check";
import { isObject } from "@/lib/platform/http/request";
import { type Content, Document, type OpenApi, type Operation } from "../support/openapi";
import { type Chain, chainOf, type Step } from "./steps";

/** Runs chains against one server until the time is up or one fails. */

export interface Keys {
  key: string;
  otherkey: string;
  readkey: string;
}

export interface FuzzOptions {
  baseUrl: string;
  seed: number;
  /** Repeats the one chain that a failure printed. */
  path?: string | undefined;
  seconds: number;
  /** New keys for each chain, which may revoke them. */
  makeKeys(): Promise<Keys>;
}

export interface Report {
  requests: number;
  statuses: Record<string, number>;
  /** What failed, with the chain that shows it; null when nothing did. */
  failure: string | null;
}

const RESPONSE_SECONDS_MAX = 25;

export async function fuzz(options: FuzzOptions): Promise<Report> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const { text } = await send(agent, options.baseUrl, {
    method: "GET",
    path: "/openapi.json",
    headers: {},
    body: undefined,
    again: false,
  });
  const parsed: OpenApi = JSON.parse(text);
  const document = new Document(parsed);
  const report: Report = { requests: 0, statuses: {}, failure: null };

  const property = fc.asyncProperty(chainOf(document), async (chain) => {
    const run = new Run(document, options.baseUrl, agent, await options.makeKeys(), report);
    await run.follow(chain);
  });
  const details = await fc.check(property, {
    seed: options.seed,
    numRuns: options.path === undefined ? Number.MAX_SAFE_INTEGER : 1,
    interruptAfterTimeLimit: options.seconds * 1000,
    endOnFailure: options.path !== undefined,
    ...(options.path !== undefined && { path: options.path }),
  });
  agent.destroy();
  // Without a counterexample the time was up before the first chain ended.
  if (details.counterexample) {
    const error = details.errorInstance;
    report.failure = [
      `Repeat with: npm run fuzz -- --seed ${details.seed} --path ${details.counterexamplePath}`,
      JSON.stringify(details.counterexample[0], null, 1).slice(0, 4000),
      error instanceof Error ? error.message : String(error),
    ].join("\n");
  }
  return report;
}

interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** Sends one chain, collects IDs from the responses and checks each response. */
class Run {
  readonly #document: Document;
  readonly #baseUrl: string;
  readonly #agent: http.Agent;
  readonly #keys: Keys;
  readonly #report: Report;
  /** By kind, newest first. */
  readonly #known = new Map<string, string[]>();
  readonly #parents = new Map<string, string>();
  #etag = '"none"';

  constructor(document: Document, baseUrl: string, agent: http.Agent, keys: Keys, report: Report) {
    this.#document = document;
    this.#baseUrl = baseUrl;
    this.#agent = agent;
    this.#keys = keys;
    this.#report = report;
  }

  async follow({ first, next, atOnce }: Chain) {
    for (const step of first) await this.#perform(step);
    if (atOnce) await Promise.all(next.map((step) => this.#perform(step)));
    else for (const step of next) await this.#perform(step);
  }

  async #perform(planned: Step) {
    const step: Step = {
      ...planned,
      path: this.#fill(planned.path),
      headers: Object.fromEntries(
        Object.entries(planned.headers).map(([name, value]) => [name, this.#fill(value)]),
      ),
      body: planned.body === undefined ? undefined : this.#fill(planned.body),
    };
    const first = await this.#send(step);
    if (!step.again) return;
    const second = await this.#send(step);
    if (step.headers["idempotency-key"] === undefined) return;
    if (first.status === 201 && second.status === 201 && first.text !== second.text) {
      throw new Error(`Executed twice: ${step.method} ${step.path}\n${first.text}\n${second.text}`);
    }
  }

  async #send(step: Step): Promise<Received> {
    const response = await send(this.#agent, this.#baseUrl, step);
    this.#report.requests += 1;
    this.#report.statuses[response.status] = (this.#report.statuses[response.status] ?? 0) + 1;
    try {
      this.#check(step, response);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(
        `${message}\n${step.method} ${step.path}\n${JSON.stringify(step.headers)}\n${step.body?.slice(0, 1000) ?? ""}\n→ ${response.status} ${JSON.stringify(response.headers)}\n${response.text.slice(0, 1000)}`,
      );
    }
    return response;
  }

  #fill(text: string): string {
    return text.replaceAll(/@@(\w+?)(?::(\d+))?@@/g, (_, kind: string, back = "0") => {
      if (kind === "base") return this.#baseUrl;
      if (kind === "etag") return this.#etag;
      if (kind === "key" || kind === "otherkey" || kind === "readkey") return this.#keys[kind];
      const child = kind.replace(/^(parent_of_)+/, "");
      const ids = this.#known.get(child) ?? [];
      let id = ids[Number(back) % Math.max(ids.length, 1)] ?? `${child}_0`;
      for (let up = kind.split("parent_of_").length - 1; up > 0; up -= 1) {
        id = this.#parents.get(id) ?? "none";
      }
      return id;
    });
  }

  #check(step: Step, response: Received) {
    const { status, headers, text } = response;
    // A server without working mail is the operator's problem.
    if (status >= 500 && !text.includes('"mail_unavailable"'))
      throw new Error("The server failed.");
    const pathname = step.path.split("?")[0] ?? "";
    const isApi = /^\/api\//.test(pathname);
    const operations = this.#document.at(pathname);
    const operation = operations.find(
      ({ method }) => method === (step.method === "HEAD" ? "GET" : step.method),
    );
    if (isApi || operation) {
      if (!headers["request-id"]) throw new Error("The Request-Id header is missing.");
    }
    if (isApi && status >= 400 && step.method !== "HEAD") this.#checkError(response);
    const isPreflight = step.method === "OPTIONS" && status === 204;
    // A DELETE of a collection whose path ends with a slash is no operation.
    const isNone = status === 404 && text.includes('"code":"route_not_found"');
    if (!operation || isPreflight || isNone) return;
    const declared = operation.responses[status] ?? operation.responses.default;
    if (!declared) throw new Error(`${operation.id} does not declare the status ${status}.`);
    if (typeof headers.etag === "string") this.#etag = headers.etag;
    if (step.method === "HEAD" || status === 304 || text === "") return;
    this.#checkContent(declared.content ?? {}, response);
    if (status < 300 && headers["content-type"]?.startsWith("application/json")) {
      const body: unknown = JSON.parse(text);
      this.#collectIds(body, operation, pathname);
      if (status === 201) this.#checkStored(step, body);
    }
  }

  #checkError({ status, headers, text }: Received) {
    const { error } = JSON.parse(text);
    const members = Object.keys(error).sort().join();
    if (members !== "code,doc_url,message,param,request_id,type") {
      throw new Error(`The envelope has the members ${members}.`);
    }
    if (error.request_id !== headers["request-id"]) throw new Error("The request IDs differ.");
    if (text.length > 4000) throw new Error("The error echoes the payload.");
    const refusal = error.code === "forbidden" ? 401 : status;
    const needed = { 401: "www-authenticate", 405: "allow", 429: "retry-after" }[refusal];
    if (needed && !headers[needed]) throw new Error(`The ${needed} header is missing.`);
  }

  #checkContent(declared: Content, { headers, text }: Received) {
    const type = headers["content-type"]?.split(";")[0] ?? "";
    const content = Object.entries(declared).find(
      ([name]) => name === type || (name.endsWith("/*") && type.startsWith(name.slice(0, -1))),
    );
    if (!content) throw new Error(`The content type ${type} is not declared.`);
    const { schema } = content[1];
    if (type !== "application/json" || !schema) return;
    const problem = this.#document.problem(schema, JSON.parse(text));
    if (problem) throw new Error(`The response does not match its schema: ${problem}`);
  }

  /** Values are stored verbatim: fields in the response equal those in the request. */
  #checkStored(step: Step, body: unknown) {
    if (step.body === undefined || !isObject(body) || step.headers["idempotency-key"]) return;
    let sent: unknown;
    try {
      sent = JSON.parse(step.body);
    } catch {
      return;
    }
    if (!isObject(sent) || new Set(step.body.match(/"name":/g)).size > 1) return;
    for (const name of ["name", "description", "external_id", "content", "labels", "priority"]) {
      if (sent[name] === undefined || sent[name] === null || body[name] === undefined) continue;
      if (JSON.stringify(sent[name]) !== JSON.stringify(body[name])) {
        throw new Error(
          `${name} was sent as ${JSON.stringify(sent[name])} and stored differently.`,
        );
      }
    }
  }

  #collectIds(value: unknown, operation: Operation, pathname: string) {
    if (Array.isArray(value)) for (const one of value) this.#collectIds(one, operation, pathname);
    if (!isObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === "object") this.#collectIds(member, operation, pathname);
      if (typeof member !== "string") continue;
      const kind = /^(tsk|art|wh|wev|msg|inbox|iev|att|lse|shr)_[0-9A-Za-z]+$/.exec(member)?.[1];
      if (kind && /^(id|event_id|lease_id|task_id)$/.test(name)) this.#remember(kind, member);
      if (name === "claim_token") this.#remember("clm", member);
      const share = /\/a\/([^/?#]+)/.exec(member)?.[1];
      if (share && name.endsWith("url")) this.#remember("share", share);
    }
    const { id = value.event_id ?? value.task_id, lease_id, claim_token } = value;
    const parent = value.endpoint_id ?? value.inbox_id ?? this.#parentIn(operation, pathname);
    if (typeof id !== "string") return;
    if (typeof parent === "string") this.#parents.set(id, parent);
    if (typeof lease_id === "string") this.#parents.set(lease_id, id);
    if (typeof claim_token === "string") this.#parents.set(claim_token, id);
  }

  /** The response to a captured request does not name the endpoint, but its path does. */
  #parentIn({ path }: Operation, pathname: string): string | undefined {
    return path.startsWith("/api/catch/") ? pathname.split("/")[3] : undefined;
  }

  #remember(kind: string, id: string) {
    for (const list of [kind, "any"]) {
      const ids = (this.#known.get(list) ?? []).filter((one) => one !== id);
      this.#known.set(list, [id, ...ids].slice(0, 10));
    }
  }
}

function send(agent: http.Agent, baseUrl: string, step: Step): Promise<Received> {
  const { method, path, body } = step;
  const payload = body === undefined ? undefined : Buffer.from(body);
  const headers: Record<string, string> = {
    ...(payload && { "content-type": "application/json" }),
    ...step.headers,
    ...(payload && { "content-length": String(payload.length) }),
  };
  return new Promise((resolve, reject) => {
    const request = http.request(baseUrl, { agent, method, path, headers }, (response) => {
      const received = { status: response.statusCode ?? 0, headers: response.headers };
      if (response.headers["content-type"]?.startsWith("text/event-stream")) {
        response.destroy();
        resolve({ ...received, text: "" });
        return;
      }
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ ...received, text: Buffer.concat(chunks).toString() }));
      response.on("error", reject);
    });
    request.setTimeout(RESPONSE_SECONDS_MAX * 1000, () =>
      request.destroy(
        new Error(`${method} ${path} was not answered in ${RESPONSE_SECONDS_MAX} s.`),
      ),
    );
    request.on("error", (error) =>
      reject(new Error(`${method} ${path} ${JSON.stringify(headers)}: ${error.message}`)),
    );
    request.end(payload);
  });
}
