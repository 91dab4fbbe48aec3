import type { IncomingMessage, ServerResponse } from "node:http";
import { networkOf } from "@/lib/http/sliding-window";
import { REQUEST_TIMEOUT, rejectRequest } from "./client-error";

/** Concurrent forms. Rendering the page after a form costs CPU, which all requests share. */
const RUNNING_MAX = 4;
/** Keeps one network from taking every slot. */
const RUNNING_PER_NETWORK_MAX = 2;
const WAITING_PER_NETWORK_MAX = 50;
const WAITING_MAX = 500;
/** A form whose body takes longer gives its slot to the next one and continues without. */
const BODY_MS_MAX = 2000;
const SLOW_PER_NETWORK_MAX = 4;
const SLOW_MAX = 32;

interface Form {
  network: string;
  begin(): void;
}

/**
 * Runs forms (any POST to a page) a few at a time, so that a flood of them does not block other
 * requests.
 */
export class FormQueue {
  readonly #waiting = new Set<Form>();
  readonly #running = new Set<Form>();
  readonly #slow = new Set<Form>();

  /**
   * Resolves to true when the form may run, until its response ends; to false when it was refused.
   */
  async turn(request: IncomingMessage, response: ServerResponse, address: string) {
    if (request.method !== "POST") return true;
    const network = networkOf(address);
    if (!hasRoom(this.#waiting, network, WAITING_MAX, WAITING_PER_NETWORK_MAX)) {
      response.writeHead(503, { "Content-Type": "text/plain", "Retry-After": "5" });
      response.end("Too many forms at once. Go back and try again in a moment.\n");
      return false;
    }
    const form = await new Promise<Form>((resolve) => {
      const waiting: Form = { network, begin: () => resolve(waiting) };
      this.#waiting.add(waiting);
      response.once("close", () => this.#end(waiting));
      this.#beginNext();
    });
    const timer = setTimeout(() => this.#makeWay(form, request), BODY_MS_MAX);
    response.once("close", () => clearTimeout(timer));
    return !response.closed;
  }

  /** A slow client must not block the others. */
  #makeWay(form: Form, request: IncomingMessage) {
    if (request.complete || !this.#running.delete(form)) return;
    if (hasRoom(this.#slow, form.network, SLOW_MAX, SLOW_PER_NETWORK_MAX)) this.#slow.add(form);
    else {
      rejectRequest(REQUEST_TIMEOUT, request.socket);
      request.socket.destroySoon();
    }
    this.#beginNext();
  }

  #end(form: Form) {
    for (const forms of [this.#waiting, this.#running, this.#slow]) forms.delete(form);
    form.begin(); // its client is gone
    this.#beginNext();
  }

  #beginNext() {
    while (this.#running.size < RUNNING_MAX) {
      const next = this.#next();
      if (!next) return;
      this.#waiting.delete(next);
      this.#running.add(next);
      next.begin();
    }
  }

  /** The longest-waiting form of the network with the fewest running. */
  #next(): Form | undefined {
    for (let running = 0; running < RUNNING_PER_NETWORK_MAX; running += 1) {
      for (const form of this.#waiting) {
        if (countOfNetwork(this.#running, form.network) === running) return form;
      }
    }
    return undefined;
  }
}

function hasRoom(forms: ReadonlySet<Form>, network: string, max: number, perNetworkMax: number) {
  return forms.size < max && countOfNetwork(forms, network) < perNetworkMax;
}

function countOfNetwork(forms: ReadonlySet<Form>, network: string): number {
  let count = 0;
  for (const form of forms) if (form.network === network) count += 1;
  return count;
}
