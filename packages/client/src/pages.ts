import type { AnyInit, Connection } from "./connection.js";

export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** Iterates over every item of a list, page by page. */
export async function* listItems<Item>(
  { call }: Connection,
  path: string,
  init: AnyInit = {},
): AsyncGenerator<Item, void, undefined> {
  let after = init.params?.query?.after;
  for (;;) {
    const query = { ...init.params?.query, ...(after !== undefined && { after }) };
    const { data } = await call("GET", path, { ...init, params: { ...init.params, query } });
    const page = data as Page<Item>;
    yield* page.data;
    if (!page.has_more) return;
    if (page.next_cursor === null || page.next_cursor === after) {
      throw new Error(`${path} says that there is more, but not where.`);
    }
    after = page.next_cursor;
  }
}

/** A list: `await` gives its first page, and `for await` every item of all pages. */
export class PagePromise<List, Item> implements Promise<List>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = "PagePromise";
  readonly #fetch: () => Promise<List>;
  readonly #iterate: () => AsyncIterator<Item>;
  #first: Promise<List> | undefined;

  constructor(fetch: () => Promise<List>, iterate: () => AsyncIterator<Item>) {
    this.#fetch = fetch;
    this.#iterate = iterate;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, which asks only when it is awaited.
  readonly then: Promise<List>["then"] = (onPage, onError) => {
    this.#first ??= this.#fetch();
    return this.#first.then(onPage, onError);
  };

  readonly catch: Promise<List>["catch"] = (onError) => this.then(undefined, onError);

  readonly finally: Promise<List>["finally"] = (onEnd) => this.then().finally(onEnd);

  [Symbol.asyncIterator](): AsyncIterator<Item> {
    return this.#iterate();
  }
}
