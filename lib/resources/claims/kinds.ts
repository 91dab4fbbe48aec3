import type { Caller } from "@/lib/platform/caller";
import { isPrefixed } from "@/lib/platform/db/ids";
import { invalidParam, notFound } from "@/lib/platform/errors";
import * as artifacts from "@/lib/resources/artifacts/service";
import * as inboxes from "@/lib/resources/inboxes/service";
import type { ClaimableKind } from "@/lib/resources/kind";
import * as messages from "@/lib/resources/messages/service";
import * as schedules from "@/lib/resources/schedules/service";
import * as tasks from "@/lib/resources/tasks/service";
import { endpointId } from "@/lib/resources/webhooks/contract";
import * as webhooks from "@/lib/resources/webhooks/service";

interface Kind extends ClaimableKind {
  get(caller: Caller, id: string): Promise<object>;
}

/** Every kind of resource, with its code. lib/resources/kinds.ts describes them. */
export const kinds: Kind[] = [
  // Before what they create, so that a claim waits for a run and takes it too.
  { ...schedules.claimableSchedule, get: schedules.get },
  { ...tasks.claimableTask, get: tasks.get },
  { ...webhooks.claimableWebhookEndpoint, get: webhooks.get },
  { ...artifacts.claimableArtifact, get: artifacts.get },
  { ...inboxes.claimableInbox, get: inboxes.get },
  { ...messages.claimableMessage, get: messages.get },
];

/** The kind of an ID. Throws 400 for IDs that cannot be claimed, and 404 for what is no ID of ours. */
export function kindOf(id: string): Kind {
  const kind = kinds.find(({ prefix }) => endpointId(id).startsWith(`${prefix}_`));
  if (kind) return kind;
  if (!isPrefixed(id)) throw notFound("resource", id);
  const prefixes = kinds.map(({ prefix }) => `${prefix}_`).join(", ");
  throw invalidParam(
    "id",
    `This ID cannot be claimed. Claimable IDs begin with one of: ${prefixes}.`,
  );
}
