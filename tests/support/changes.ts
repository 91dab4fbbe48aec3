import { expect } from "playwright/test";
import type { Change, ChangeList } from "@/lib/resources/changes/contract";
import { type Api, jsonOf } from "./http";

type Query = Record<string, string | string[]>;

/** A page of the feed. */
export async function feed(api: Api, key: string, query: Query = {}): Promise<ChangeList> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  );
  const response = await api("GET", `/api/changes?${search}`, { key });
  expect(response.status, response.text).toBe(200);
  return jsonOf<ChangeList>(response);
}

/** All matching changes that the feed has, in pages of `limit`. */
export async function changesOf(api: Api, key: string, query: Query = {}): Promise<Change[]> {
  const found: Change[] = [];
  const each = { limit: "100", ...query };
  let page = await feed(api, key, each);
  for (;;) {
    found.push(...page.data);
    if (!page.has_more) return found;
    page = await feed(api, key, { ...each, after: page.next_cursor });
  }
}
