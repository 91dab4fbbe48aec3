import type { ServerResponse } from "node:http";
import { ApiError } from "@/lib/errors";
import { networkOf } from "@/lib/http/sliding-window";
import { memoryLimits } from "./body-memory";
import { ByteBudget } from "./byte-budget";

/** Smaller answers are not counted. */
const SMALL_BYTES = 65_536;
/** A reader who has had an answer for so long makes room for others when there is none. */
const SLOW_MS = 5000;

/** One answer in memory, with all who read it. */
interface Held {
  bytes: number;
  holder: string;
  readers: Set<ServerResponse>;
  since: number;
  tag: string | undefined;
  content: Buffer<ArrayBuffer> | undefined;
}

/**
 * Counts the answers that are not sent yet. Readers of the same content share one copy; when there
 * is no room, the slowest readers are cut off.
 */
export class Answers {
  readonly #budget = new ByteBudget(memoryLimits());
  /** The oldest first. */
  readonly #held = new Set<Held>();
  readonly #byTag = new Map<string, Held>();
  readonly #byReader = new WeakMap<ServerResponse, Held>();

  /**
   * Counts `content` until `response` is closed, and gives the copy to send. What has the same
   * `tag` may be the same content. Throws 429 or 503 when there is no room and the answer is
   * `refusable`; any other is sent in excess of the budget.
   */
  hold(
    response: ServerResponse,
    content: Buffer<ArrayBuffer>,
    { address, tag, refusable }: { address: string; tag?: string; refusable: boolean },
  ): Buffer<ArrayBuffer> {
    if (content.length < SMALL_BYTES) return content;
    const same = tag === undefined ? undefined : this.#byTag.get(tag);
    if (same?.content?.equals(content)) {
      same.since = performance.now();
      this.#join(same, response);
      return same.content;
    }
    const holder = networkOf(address);
    const shortage = this.#makeRoom(holder, content.length, { force: !refusable });
    if (shortage && refusable) throw tooMuch(shortage);
    this.#add(response, { holder, bytes: content.length, tag, content });
    return content;
  }

  /** Counts what `response` has not sent yet, of an answer that was not counted when it was made. */
  observe(response: ServerResponse, address: string): void {
    const bytes = response.writableLength;
    const known = this.#byReader.get(response);
    if (known?.content !== undefined) return;
    const holder = networkOf(address);
    if (known) {
      this.#budget.giveBack(holder, known.bytes);
      this.#budget.take(holder, bytes);
      known.bytes = bytes;
    } else if (bytes >= SMALL_BYTES) {
      this.#add(response, { holder, bytes, tag: undefined, content: undefined });
    } else return;
    this.#makeRoom(holder, 0, { force: false });
  }

  #add(response: ServerResponse, answer: Pick<Held, "holder" | "bytes" | "tag" | "content">) {
    const held: Held = { ...answer, since: performance.now(), readers: new Set() };
    this.#budget.take(held.holder, held.bytes);
    this.#held.add(held);
    if (held.tag !== undefined) this.#byTag.set(held.tag, held);
    this.#join(held, response);
  }

  #join(held: Held, response: ServerResponse) {
    held.readers.add(response);
    if (!this.#byReader.has(response)) {
      response.once("close", () => {
        const last = this.#byReader.get(response);
        last?.readers.delete(response);
        if (last?.readers.size === 0) this.#remove(last);
      });
    }
    this.#byReader.set(response, held);
  }

  #remove(held: Held) {
    if (!this.#held.delete(held)) return;
    this.#budget.giveBack(held.holder, held.bytes);
    if (held.tag !== undefined && this.#byTag.get(held.tag) === held) this.#byTag.delete(held.tag);
  }

  /**
   * Cuts off slow readers until there is room, the holder's own first; with `force` the holder's other
   * readers too, but never a stranger's download that makes progress. Returns what is still short.
   */
  #makeRoom(holder: string, bytes: number, { force }: { force: boolean }) {
    if (!this.#budget.shortage(holder, bytes)) return undefined;
    const now = performance.now();
    const own = [...this.#held].filter((held) => held.holder === holder);
    const others = [...this.#held].filter((held) => held.holder !== holder);
    const isSlow = ({ since }: Held) => now - since >= SLOW_MS;
    const victims = [
      ...own.filter(isSlow),
      ...others.filter(isSlow),
      ...(force ? own.filter((held) => !isSlow(held)) : []),
    ];
    for (const held of victims) {
      const shortage = this.#budget.shortage(holder, bytes);
      if (!shortage) return undefined;
      if (shortage === "holder" && held.holder !== holder) continue;
      for (const reader of held.readers) reader.destroy();
      this.#remove(held);
    }
    return this.#budget.shortage(holder, bytes);
  }
}

function tooMuch(shortage: "holder" | "total") {
  const headers = { "Retry-After": "5" };
  return shortage === "holder"
    ? new ApiError("rate_limited", "Too much is still on its way to this address.", { headers })
    : new ApiError("service_unavailable", "Too many large answers at once. Try again.", {
        headers,
      });
}
