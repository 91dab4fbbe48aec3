import type { Metadata } from "next";
import { cache } from "react";
import type { IconName } from "@/components/ui/icon";
import * as artifacts from "@/lib/artifacts/service";
import { anonymous, type Caller } from "@/lib/caller";
import * as inboxes from "@/lib/inboxes/service";
import * as messages from "@/lib/messages/service";
import * as tasks from "@/lib/tasks/service";
import { endpointId } from "@/lib/webhooks/contract";
import * as webhooks from "@/lib/webhooks/service";
import { visitor } from "./session";

export interface ResourceKind {
  prefix: string;
  noun: string;
  icon: IconName;
  /** Its pages are below this path, under the same IDs as in the API. */
  path: string;
  get(caller: Caller, id: string): Promise<object>;
}

/** The kinds of resources that have pages. */
const kinds: readonly ResourceKind[] = [
  { prefix: "tsk", noun: "task", icon: "tasks", path: "/tasks", get: tasks.get },
  { prefix: "art", noun: "artifact", icon: "artifacts", path: "/artifacts", get: artifacts.get },
  {
    prefix: "wh",
    noun: "webhook endpoint",
    icon: "webhooks",
    path: "/webhooks",
    get: webhooks.get,
  },
  { prefix: "msg", noun: "message", icon: "messages", path: "/messages", get: messages.get },
  { prefix: "inbox", noun: "inbox", icon: "inboxes", path: "/inboxes", get: inboxes.get },
];

/** The kind that an ID is of. */
export function resourceKindOf(id: string): ResourceKind | undefined {
  return kinds.find(({ prefix }) => id.startsWith(`${prefix}_`));
}

/** A public resource as the API shows it; undefined if it is not public or does not exist. */
export async function readPublic(id: string): Promise<object | undefined> {
  return resourceKindOf(id)
    ?.get(anonymous, id)
    .catch(() => undefined);
}

/** Reads a resource once for each request: its page and the page's title both need it. */
export const readOnce = cache(
  <Resource>(
    get: (caller: Caller, id: string) => Promise<Resource>,
    caller: Caller,
    id: string,
  ): Promise<Resource> => get(caller, id),
);

/** Page metadata, with the resource's name as title if the visitor may read it. */
export async function metadataOf(id: string): Promise<Metadata> {
  const kind = resourceKindOf(endpointId(id));
  const { caller } = await visitor();
  const resource = kind && (await readOnce(kind.get, caller, id).catch(() => undefined));
  return { title: titleOf(resource ?? {}) ?? "Not found", robots: { index: false } };
}

/** The title of a resource: its name or its URL. */
export function titleOf(resource: object): string | undefined {
  const { name, method, url } = resource as { name?: unknown; method?: unknown; url?: unknown };
  if (typeof name === "string" && name !== "") return name;
  if (typeof method === "string" && typeof url === "string") return `${method} ${url}`;
  return typeof url === "string" ? url : undefined;
}
