import type { IncomingMessage, ServerResponse } from "node:http";

/** Forms that are worked on at once: rendering the page after one is CPU, which all requests share. */
const RUNNING_MAX = 4;
/** Of one address: a flood from there leaves turns to the others. */
const RUNNING_PER_ADDRESS_MAX = 2;
const WAITING_PER_ADDRESS_MAX = 50;
const WAITING_MAX = 500;

interface Waiting {
  address: string;
  begin(): void;
}

/** Lets forms (any POST to a page) go a few at a time, so that a flood of them stops nothing else. */
export class FormTurns {
  readonly #running: string[] = [];
  #waiting: Waiting[] = [];

  /** Resolves to true at this form's turn, which ends with the response; to false when it is refused. */
  async turn(request: IncomingMessage, response: ServerResponse, address: string) {
    if (request.method !== "POST") return true;
    const isFull =
      this.#waiting.length >= WAITING_MAX ||
      count(this.#waiting, (one) => one.address === address) >= WAITING_PER_ADDRESS_MAX;
    if (isFull) {
      response.writeHead(503, { "Content-Type": "text/plain", "Retry-After": "5" });
      response.end("Too many forms were sent at once. Go back and try again in a moment.\n");
      return false;
    }
    await new Promise<void>((resolve) => {
      const waiting = { address, begin: resolve };
      this.#waiting.push(waiting);
      response.once("close", () => this.#end(waiting));
      this.#beginNext();
    });
    return !response.closed;
  }

  #end(ended: Waiting) {
    if (this.#waiting.includes(ended)) {
      this.#waiting = this.#waiting.filter((one) => one !== ended);
      ended.begin();
    } else this.#running.splice(this.#running.indexOf(ended.address), 1);
    this.#beginNext();
  }

  #beginNext() {
    while (this.#running.length < RUNNING_MAX) {
      const next = this.#waiting.find(
        ({ address }) => count(this.#running, (one) => one === address) < RUNNING_PER_ADDRESS_MAX,
      );
      if (!next) return;
      this.#waiting = this.#waiting.filter((one) => one !== next);
      this.#running.push(next.address);
      next.begin();
    }
  }
}

function count<Item>(items: readonly Item[], fits: (item: Item) => boolean): number {
  return items.filter(fits).length;
}
