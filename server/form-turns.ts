import type { IncomingMessage, ServerResponse } from "node:http";
import { networkOf } from "@/lib/http/sliding-window";
import { refuseMalformed, TOO_SLOW } from "./client-error";

/** Forms that are worked on at once: rendering the page after one is CPU, which all requests share. */
const RUNNING_MAX = 4;
/** A flood from one network leaves turns to the others. */
const RUNNING_PER_NETWORK_MAX = 2;
const WAITING_PER_NETWORK_MAX = 50;
const WAITING_MAX = 500;
/** A form whose body takes longer gives its turn to the next one, and goes on beside it. */
const BODY_MS_MAX = 2000;
const SLOW_PER_NETWORK_MAX = 4;
const SLOW_MAX = 32;

interface Form {
  network: string;
  begin(): void;
}

/** Lets forms (any POST to a page) go a few at a time, so that a flood of them stops nothing else. */
export class FormTurns {
  readonly #waiting = new Set<Form>();
  readonly #running = new Set<Form>();
  readonly #slow = new Set<Form>();

  /** Resolves to true at this form's turn, which ends with the response; to false when it is refused. */
  async turn(request: IncomingMessage, response: ServerResponse, address: string) {
    if (request.method !== "POST") return true;
    const network = networkOf(address);
    if (!hasRoom(this.#waiting, network, WAITING_MAX, WAITING_PER_NETWORK_MAX)) {
      response.writeHead(503, { "Content-Type": "text/plain", "Retry-After": "5" });
      response.end("Too many forms were sent at once. Go back and try again in a moment.\n");
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

  /** A client that sends its form slowly must not hold up the others. */
  #makeWay(form: Form, request: IncomingMessage) {
    if (request.complete || !this.#running.delete(form)) return;
    if (hasRoom(this.#slow, form.network, SLOW_MAX, SLOW_PER_NETWORK_MAX)) this.#slow.add(form);
    else {
      refuseMalformed(TOO_SLOW, request.socket);
      request.socket.destroySoon();
    }
    this.#beginNext();
  }

  #end(form: Form) {
    for (const forms of [this.#waiting, this.#running, this.#slow]) forms.delete(form);
    form.begin(); // a form that is still waiting has nobody to wait for
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

  /** The form that has waited longest, of a network with as few running as possible. */
  #next(): Form | undefined {
    for (let running = 0; running < RUNNING_PER_NETWORK_MAX; running += 1) {
      for (const form of this.#waiting) {
        if (ofNetwork(this.#running, form.network) === running) return form;
      }
    }
    return undefined;
  }
}

function hasRoom(forms: ReadonlySet<Form>, network: string, max: number, perNetworkMax: number) {
  return forms.size < max && ofNetwork(forms, network) < perNetworkMax;
}

function ofNetwork(forms: ReadonlySet<Form>, network: string): number {
  let count = 0;
  for (const form of forms) if (form.network === network) count += 1;
  return count;
}
