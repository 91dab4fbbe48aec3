import { invalidParam, notFound } from "@/lib/platform/errors";
import type { Operation } from "@/lib/platform/http/operation";
import { artifactOperations } from "./artifacts/operations";
import { artifacts } from "./artifacts/service";
import { inboxOperations } from "./inboxes/operations";
import { inboxes } from "./inboxes/service";
import { type KindName, kinds } from "./kinds";
import { messageOperations } from "./messages/operations";
import { messages } from "./messages/service";
import { questionOperations } from "./questions/operations";
import { questions } from "./questions/service";
import type { Resource } from "./resource";
import { scheduleOperations } from "./schedules/operations";
import { schedules } from "./schedules/service";
import { taskOperations } from "./tasks/operations";
import { tasks } from "./tasks/service";
import { endpointId } from "./webhooks/contract";
import { webhookOperations } from "./webhooks/operations";
import { webhooks } from "./webhooks/service";

const byName: Record<KindName, { code: Resource; operations: readonly Operation[] }> = {
  // Before what they create: a claim waits for a run, and takes its result too.
  schedules: { code: schedules, operations: scheduleOperations },
  tasks: { code: tasks, operations: taskOperations },
  webhooks: { code: webhooks, operations: webhookOperations },
  artifacts: { code: artifacts, operations: artifactOperations },
  inboxes: { code: inboxes, operations: inboxOperations },
  messages: { code: messages, operations: messageOperations },
  questions: { code: questions, operations: questionOperations },
};

/** The code of every kind of resource that lib/resources/kinds.ts lists. */
export const resources: readonly Resource[] = Object.values(byName).map(({ code }) => code);

/** The operations of every kind, in the order of the documents. */
export const resourceOperations = kinds.flatMap(({ name }) => byName[name].operations);

/** IDs of other things that have an owner. */
const UNCLAIMABLE = [
  ...kinds.flatMap(({ parts }) => parts.flatMap(({ prefix }) => prefix ?? [])),
  ...["org", "key", "usr", "reg", "sub", "wrp", "lse", "clm"],
];

/** The kind of an ID. Throws 400 for IDs that cannot be claimed, and 404 for anything else. */
export function resourceOf(id: string): Resource {
  const found = resources.find(({ kind }) => endpointId(id).startsWith(`${kind.prefix}_`));
  if (found) return found;
  if (!UNCLAIMABLE.some((prefix) => id.startsWith(`${prefix}_`))) throw notFound("resource", id);
  const prefixes = resources.map(({ kind }) => `${kind.prefix}_`).join(", ");
  throw invalidParam(
    "id",
    `This ID cannot be claimed. Claimable IDs begin with one of: ${prefixes}.`,
  );
}
