import type { ServerResponse } from "node:http";
import { networkOf } from "@/lib/platform/addresses";
import { HttpResponse } from "@/lib/platform/http/response";
import { memoryLimits } from "./body-memory";
import { ByteBudget } from "./byte-budget";

/** Smaller responses are not counted. */
const UNCOUNTED_BYTES_MAX = 65_536;
/** A text with fewer characters than this has fewer bytes than that. */
const COUNTED_LENGTH = 20_000;
/** A slower reader is cut off when memory runs out. */
const SLOW_MS = 5000;

/** A response body in memory and its readers. */
interface BufferedResponse {
  bytes: number;
  holder: string;
  readers: Set<ServerResponse>;
  since: number;
  tag: string | undefined;
  content: Buffer<ArrayBuffer> | undefined;
}

/** Accounts for unsent responses. Readers of the same content share it; slow ones are cut off. */
export class ResponseMemory {
  readonly #budget = new ByteBudget(memoryLimits());
  /** Responses in order of age, the oldest first. */
  readonly #held = new Set<BufferedResponse>();
  readonly #byTag = new Map<string, BufferedResponse>();
  readonly #byReader = new WeakMap<ServerResponse, BufferedResponse>();

  /**
   * Counts a result like `hold`, unless it is short or a stream. Returns the one to send. Throws as
   * `hold` does.
   */
  holdResult(
    response: ServerResponse,
    result: HttpResponse,
    { address, refusable }: { address: string; refusable: boolean },
  ): HttpResponse {
    const { status, headers, body } = result;
    if (body === null || body instanceof ReadableStream || body.length < COUNTED_LENGTH) {
      return result;
    }
    const content =
      typeof body === "string"
        ? Buffer.from(body)
        : Buffer.from(body.buffer, body.byteOffset, body.length);
    const tag = status === 200 ? headers.ETag : undefined;
    const kept = this.hold(response, content, { address, refusable, ...(tag && { tag }) });
    return new HttpResponse(status, headers, kept);
  }

  /**
   * Counts `content` until `response` is closed, and returns the copy to send, which is shared with
   * an equal response of the same `tag`. Throws 429 or 503 if memory is exhausted and the response
   * is `refusable`; others may exceed the budget.
   */
  hold(
    response: ServerResponse,
    content: Buffer<ArrayBuffer>,
    { address, tag, refusable }: { address: string; tag?: string; refusable: boolean },
  ): Buffer<ArrayBuffer> {
    // Node has emitted `close` already if the client left while the response was being made.
    if (response.closed || content.length < UNCOUNTED_BYTES_MAX) return content;
    const same = tag === undefined ? undefined : this.#byTag.get(tag);
    if (same?.content?.equals(content)) {
      same.since = performance.now();
      this.#join(same, response);
      return same.content;
    }
    const holder = networkOf(address);
    this.#freeBytes(holder, content.length, { force: !refusable });
    if (refusable) this.#budget.assert(holder, content.length, OUT_OF_MEMORY);
    this.#add(response, { holder, bytes: content.length, tag, content });
    return content;
  }

  /**
   * Takes a page as fast as Next renders it. Next would keep what a slow client has not read, and
   * nothing would count it.
   */
  takeWhole(response: ServerResponse, address: string): void {
    const { write } = response;
    response.write = (...part: unknown[]) => {
      Reflect.apply(write, response, part);
      return true;
    };
    response.once("prefinish", () => this.observe(response, address));
  }

  /** Counts the unsent bytes of a response that `hold` did not count. */
  observe(response: ServerResponse, address: string): void {
    // A response that was cut off is already released. Counted again, it never would be.
    if (response.destroyed) return;
    const bytes = response.writableLength;
    const known = this.#byReader.get(response);
    if (known?.content !== undefined) return;
    const holder = networkOf(address);
    if (known) {
      this.#budget.release(holder, known.bytes);
      this.#budget.take(holder, bytes);
      known.bytes = bytes;
    } else if (bytes >= UNCOUNTED_BYTES_MAX) {
      this.#add(response, { holder, bytes, tag: undefined, content: undefined });
    } else return;
    this.#freeBytes(holder, 0, { force: true, except: this.#byReader.get(response) });
  }

  #add(
    response: ServerResponse,
    added: Pick<BufferedResponse, "holder" | "bytes" | "tag" | "content">,
  ) {
    const held: BufferedResponse = { ...added, since: performance.now(), readers: new Set() };
    this.#budget.take(held.holder, held.bytes);
    this.#held.add(held);
    if (held.tag !== undefined) this.#byTag.set(held.tag, held);
    this.#join(held, response);
  }

  #join(held: BufferedResponse, response: ServerResponse) {
    held.readers.add(response);
    this.#byReader.set(response, held);
    response.once("close", () => {
      held.readers.delete(response);
      if (held.readers.size === 0) this.#remove(held);
    });
  }

  #remove(held: BufferedResponse) {
    if (!this.#held.delete(held)) return;
    this.#budget.release(held.holder, held.bytes);
    if (held.tag !== undefined && this.#byTag.get(held.tag) === held) this.#byTag.delete(held.tag);
  }

  /**
   * Cuts off slow readers until enough bytes are free, the holder's own first. `force` includes the
   * holder's other readers but those of `except`, and never another client's download that makes
   * progress.
   */
  #freeBytes(
    holder: string,
    bytes: number,
    { force, except }: { force: boolean; except?: BufferedResponse | undefined },
  ) {
    if (!this.#budget.shortage(holder, bytes)) return;
    const now = performance.now();
    const own = [...this.#held].filter((held) => held.holder === holder);
    const others = [...this.#held].filter((held) => held.holder !== holder);
    const isSlow = ({ since }: BufferedResponse) => now - since >= SLOW_MS;
    const victims = [
      ...own.filter(isSlow),
      ...others.filter(isSlow),
      ...(force ? own.filter((held) => !isSlow(held) && held !== except) : []),
    ];
    for (const held of victims) {
      const shortage = this.#budget.shortage(holder, bytes);
      if (!shortage) return;
      if (shortage === "holder" && held.holder !== holder) continue;
      for (const reader of held.readers) reader.destroy();
      this.#remove(held);
    }
  }
}

const OUT_OF_MEMORY = {
  holder: "Too much unread data for this address. Read earlier responses first.",
  total: "Too many large responses at once. Try again.",
};
