import { invalidParam, notFound } from "@/lib/platform/errors";
import type { Method, Operation } from "@/lib/platform/http/operation";
import { artifactOperations } from "./artifacts/operations";
import { artifacts } from "./artifacts/service";
import { sharedArtifactOperations } from "./artifacts/shared-operations";
import { inboxEventOperations } from "./inboxes/events/operations";
import { inboxOperations } from "./inboxes/operations";
import { inboxReplyOperations } from "./inboxes/replies/operations";
import { inboxes } from "./inboxes/service";
import { type KindName, kinds } from "./kinds";
import { messageOperations } from "./messages/operations";
import { messages } from "./messages/service";
import { getSigningKeys } from "./messages/signing-keys";
import { signingSecretOperations } from "./messages/signing-secret-operations";
import { questionOperations } from "./questions/operations";
import { questions } from "./questions/service";
import type { Resource } from "./resource";
import { scheduleOperations } from "./schedules/operations";
import { schedules } from "./schedules/service";
import { taskBlockerOperations } from "./tasks/blocker-operations";
import { taskOperations } from "./tasks/operations";
import { tasks } from "./tasks/service";
import { captureOperations, webhookEventOperations } from "./webhooks/events/operations";
import { webhookForwardOperations } from "./webhooks/forward/operations";
import { endpointId } from "./webhooks/kind";
import { webhookOperations } from "./webhooks/operations";
import { webhookReplayOperations } from "./webhooks/replays/operations";
import { webhooks } from "./webhooks/service";
import { webhookVerificationOperations } from "./webhooks/verification/operations";

const byName: Record<KindName, { code: Resource; operations: readonly Operation[] }> = {
  // Before what they create: a claim waits for a run, and takes its result too.
  schedules: { code: schedules, operations: Object.values(scheduleOperations) },
  tasks: {
    code: tasks,
    operations: [...Object.values(taskOperations), ...Object.values(taskBlockerOperations)],
  },
  webhooks: {
    code: webhooks,
    operations: [
      ...Object.values(webhookOperations),
      ...Object.values(webhookVerificationOperations),
      ...Object.values(webhookForwardOperations),
      ...Object.values(webhookEventOperations),
      ...captureOperations,
      ...Object.values(webhookReplayOperations),
    ],
  },
  artifacts: {
    code: artifacts,
    operations: [...Object.values(artifactOperations), ...Object.values(sharedArtifactOperations)],
  },
  inboxes: {
    code: inboxes,
    operations: [
      ...Object.values(inboxOperations),
      ...Object.values(inboxEventOperations),
      ...Object.values(inboxReplyOperations),
    ],
  },
  messages: {
    code: messages,
    operations: [
      ...Object.values(messageOperations),
      getSigningKeys,
      ...Object.values(signingSecretOperations),
    ],
  },
  questions: { code: questions, operations: Object.values(questionOperations) },
};

/** The code of every kind of resource that lib/resources/kinds.ts lists. */
export const resources: readonly Resource[] = Object.values(byName).map(({ code }) => code);

/** The operations of every kind, in the order of the documents. */
export const resourceOperations = kinds.flatMap(({ name }) => byName[name].operations);

/** The operation of a kind on this path below its own, such as `/{id}`, if it has one. */
export function operationOf(name: KindName, method: Method, below = ""): Operation | undefined {
  const path = `/api/${name}${below}`;
  return byName[name].operations.find((one) => one.method === method && one.path === path);
}

/** The prefixes of all other IDs and tokens. A test compares them with the code and the documents. */
const UNCLAIMABLE = [
  ...kinds.flatMap(({ parts }) => parts.flatMap(({ prefix }) => prefix ?? [])),
  ...["org", "key", "usr", "reg", "cla", "clm", "sgn", "ses", "inv", "oac", "mcp", "evt", "ntc"],
  ...["chg", "sub", "wrp", "note", "lse", "req"],
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
