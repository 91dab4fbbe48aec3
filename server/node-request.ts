import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@/lib/platform/errors";
import { isTrustedProxy } from "@/lib/platform/http/address";
import type { HttpRequest } from "@/lib/platform/http/request";
import type { HeldBody } from "./body-memory";

/** Adapts a Node request for `respond`, lazily. */
export class NodeRequest implements HttpRequest {
  readonly clientAddress: string;
  readonly headers: HttpRequest["headers"];
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #heldBody: HeldBody;
  #signal: AbortSignal | undefined;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    client: { address: string; heldBody: HeldBody },
  ) {
    this.#incoming = incoming;
    this.#response = response;
    this.#heldBody = client.heldBody;
    this.clientAddress = client.address;
    this.headers = new NodeHeaders(incoming);
  }

  get method(): string {
    return this.#incoming.method ?? "GET";
  }

  get url(): string {
    return this.#incoming.url ?? "/";
  }

  get viaProxy(): boolean {
    return isTrustedProxy(this.#incoming.socket.remoteAddress);
  }

  get body(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => this.#chunks() };
  }

  keep(bytes: number): void {
    this.#heldBody.add(bytes);
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const controller = new AbortController();
      // Most requests do not need it, and the client may have left before one does.
      if (this.#response.closed) controller.abort();
      else this.#response.once("close", () => controller.abort());
      this.#signal = controller.signal;
    }
    return this.#signal;
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    sendContinue(this.#incoming, this.#response);
    // Most bodies arrive with the head, and Node delivers both in one turn. Reading them directly is
    // cheaper than iterating over the stream.
    await undefined;
    const arrived: Buffer | null = this.#incoming.read();
    if (arrived) yield arrived;
    if (this.#incoming.complete) return;
    try {
      // Stopping early (413) must not destroy the socket, which the response needs.
      yield* this.#incoming.iterator({ destroyOnReturn: false });
    } catch (cause) {
      // For the log: nobody reads the response.
      const message = "The connection ended before the whole request had arrived.";
      throw new ApiError("invalid_param", message, { status: 408, cause });
    }
  }
}

/** Asks for the body if the client waits for that. HTTP/1.0 has no such response (RFC 9110 §10.1.1). */
export function sendContinue({ headers, httpVersion }: IncomingMessage, response: ServerResponse) {
  const isAwaited = headers.expect?.toLowerCase() === "100-continue";
  if (isAwaited && httpVersion === "1.1") response.writeContinue();
}

/** Whether the request names its host as it must: once, or never in HTTP/1.0 (RFC 9112 §3.2). */
export function namesHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const isHost = (text: string, index: number) => index % 2 === 0 && /^host$/i.test(text);
  const hosts = rawHeaders.filter(isHost).length;
  return hosts === 1 || (hosts === 0 && httpVersion !== "1.1");
}

/** The headers of a Node request, as a `HttpRequest` has them. */
export class NodeHeaders {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    const value = this.#incoming.headers[name];
    if (value === undefined) return null;
    // Node drops all but the first.
    return name === "authorization" ? this.#joined(name) : String(value);
  }

  #joined(name: string): string {
    const isNamed = (header = "") => header.length === name.length && header.toLowerCase() === name;
    const isValue = (_: string, index: number, raw: string[]) =>
      index % 2 === 1 && isNamed(raw[index - 1]);
    return this.#incoming.rawHeaders.filter(isValue).join(", ");
  }

  *[Symbol.iterator](): Generator<[string, string]> {
    // Does not use `headers`, which drops some repeated headers and one named `__proto__`.
    const raw = this.#incoming.rawHeaders;
    for (let index = 0; index + 1 < raw.length; index += 2) {
      yield [(raw[index] ?? "").toLowerCase(), raw[index + 1] ?? ""];
    }
  }
}
