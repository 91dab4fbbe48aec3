import type { Metadata } from "next";
import { cache } from "react";
import { type Caller, mayWrite } from "@/lib/platform/caller";
import { truncate } from "@/lib/platform/truncate";
import { resourceOf } from "@/lib/resources/registry";
import { queryParam, type SearchParams } from "./query";
import { visitor } from "./session";

/** Reads a resource once per request, for its page and the page's title. */
export const readOnce = cache(
  <Resource>(
    get: (caller: Caller, id: string) => Promise<Resource>,
    caller: Caller,
    id: string,
  ): Promise<Resource> => get(caller, id),
);

/** The page's metadata, titled with the resource's name if the visitor may read it. */
export async function metadataOf(id: string): Promise<Metadata> {
  const { caller } = await visitor();
  const resource = await readIfAllowed(caller, id);
  return { title: titleOf(resource ?? {}) ?? "Not found", robots: { index: false } };
}

export interface ResourcePage<Params = object> {
  params: Promise<{ id: string } & Params>;
  searchParams: Promise<SearchParams>;
}

/**
 * What a resource's page starts with: the IDs in its path, its query, the visitor, whether they may
 * change the resource and have opened its form, and whether they have opened its settings, which a narrow
 * screen otherwise has below its list.
 */
export async function openPage<Params>({ params, searchParams }: ResourcePage<Params>) {
  const search = await searchParams;
  const { caller, account } = await visitor();
  const canWrite = mayWrite(caller);
  const isEditing = canWrite && queryParam(search, "edit") === "1";
  const isAbout = queryParam(search, "about") === "1";
  return { ...(await params), search, caller, account, canWrite, isEditing, isAbout };
}

export async function resourceMetadata({ params }: ResourcePage): Promise<Metadata> {
  return metadataOf((await params).id);
}

/** A resource of any kind; undefined if the caller may not read it. */
export async function readIfAllowed(caller: Caller, id: string): Promise<object | undefined> {
  try {
    return await readOnce(resourceOf(id).get, caller, id);
  } catch {
    return undefined;
  }
}

/** The title of a resource: its name, the first line of its prompt, its times or its URL. */
export function titleOf(resource: object): string | undefined {
  const { name, prompt, cron, method, url, object } = resource as Record<string, unknown>;
  if (typeof name === "string" && name !== "") return name;
  if (typeof prompt === "string") return titleFrom(prompt) || "Question";
  if (object === "schedule") return typeof cron === "string" ? cron : "Schedule";
  if (typeof method === "string" && typeof url === "string") return `${method} ${url}`;
  return typeof url === "string" ? url : undefined;
}

const TITLE_CHARACTERS_MAX = 200;

/** The first line of a text, which ends after a whole word if it is too long. */
function titleFrom(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  if (line.length <= TITLE_CHARACTERS_MAX) return line;
  return `${truncate(line, TITLE_CHARACTERS_MAX - 1).replace(/\s+\S{0,40}$/, "")}…`;
}
