import { invalidParam, notFound } from "@/lib/platform/errors";
import { artifacts } from "./artifacts/service";
import { inboxes } from "./inboxes/service";
import type { KindName } from "./kinds";
import { messages } from "./messages/service";
import type { Resource } from "./resource";
import { schedules } from "./schedules/service";
import { tasks } from "./tasks/service";
import { endpointId } from "./webhooks/contract";
import { webhooks } from "./webhooks/service";

const byName: Record<KindName, Resource> = {
  // Before the resources that they create, so that a claim waits for a run and takes its result
  // too.
  schedules,
  tasks,
  webhooks,
  artifacts,
  inboxes,
  messages,
};

/** The code of every kind of resource that lib/resources/kinds.ts lists. */
export const resources: readonly Resource[] = Object.values(byName);

/** The kind of an ID. Throws 400 for IDs that cannot be claimed, and 404 for anything else. */
export function resourceOf(id: string): Resource {
  const found = resources.find(({ kind }) => endpointId(id).startsWith(`${kind.prefix}_`));
  if (found) return found;
  if (!/^[a-z]{2,5}_/.test(id)) throw notFound("resource", id);
  const prefixes = resources.map(({ kind }) => `${kind.prefix}_`).join(", ");
  throw invalidParam(
    "id",
    `This ID cannot be claimed. Claimable IDs begin with one of: ${prefixes}.`,
  );
}
