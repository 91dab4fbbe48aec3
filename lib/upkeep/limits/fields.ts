import * as z from "zod";
import { Rotate } from "@/lib/identity/me/contract";
import { ArtifactCreate, ArtifactUpdate, ShareCreate } from "@/lib/resources/artifacts/contract";
import { InboxCreate, InboxUpdate } from "@/lib/resources/inboxes/contract";
import { Extend, NackOne, Receive, Settle } from "@/lib/resources/inboxes/events/consumer-contract";
import { MessageCreate, MessageUpdate } from "@/lib/resources/messages/contract";
import { ScheduleCreate, ScheduleUpdate } from "@/lib/resources/schedules/contract";
import { SubscriptionCreate } from "@/lib/resources/subscriptions/contract";
import { TaskCreate, TaskUpdate } from "@/lib/resources/tasks/contract";
import { LeaseNext, LeaseTake } from "@/lib/resources/tasks/lease-contract";
import { NoteCreate, TaskCompletion } from "@/lib/resources/tasks/notes-contract";
import { WebhookEndpointCreate, WebhookEndpointUpdate } from "@/lib/resources/webhooks/contract";
import { WebhookReplay } from "@/lib/resources/webhooks/events/contract";
import { WebhookForwardPut } from "@/lib/resources/webhooks/forward/contract";
import { BulkReplayCreate } from "@/lib/resources/webhooks/replays/contract";
import { WebhookVerificationPut } from "@/lib/resources/webhooks/verification/contract";

const bodies = {
  task_create: TaskCreate,
  task_update: TaskUpdate,
  task_lease: LeaseTake,
  task_lease_next: LeaseNext,
  task_complete: TaskCompletion,
  task_note: NoteCreate,
  webhook_create: WebhookEndpointCreate,
  webhook_update: WebhookEndpointUpdate,
  webhook_replay: WebhookReplay,
  webhook_verification: WebhookVerificationPut,
  webhook_forward: WebhookForwardPut,
  webhook_bulk_replay: BulkReplayCreate,
  artifact_create: ArtifactCreate,
  artifact_update: ArtifactUpdate,
  artifact_share: ShareCreate,
  message_create: MessageCreate,
  message_update: MessageUpdate,
  schedule_create: ScheduleCreate,
  schedule_update: ScheduleUpdate,
  inbox_create: InboxCreate,
  inbox_update: InboxUpdate,
  inbox_receive: Receive,
  inbox_nack: NackOne,
  inbox_extend: Extend,
  inbox_settle: Settle,
  subscription_create: SubscriptionCreate,
  key_rotate: Rotate,
};

/** By property, then by the name of the bound. */
type Bounds = Record<string, Record<string, number>>;

const BOUNDS: Record<string, string> = {
  minLength: "min_characters",
  maxLength: "max_characters",
  minimum: "minimum",
  maximum: "maximum",
  minItems: "min_items",
  maxItems: "max_items",
};

/** The bounds of each body's properties, by the body's published name. */
export function boundsOfBodies(): Record<string, Bounds> {
  return Object.fromEntries(
    Object.entries(bodies).map(([name, schema]) => [name, boundsOf(schema)]),
  );
}

/** The bounds of each property of a body, read from its schema. */
export function boundsOf(schema: z.ZodObject): Bounds {
  const all = Object.entries(schema.shape).map(([name, property]) => {
    const described = z.toJSONSchema(property, { io: "input", unrepresentable: "any" });
    // A named schema is emitted as a reference.
    const variants = [
      described,
      ...(described.anyOf ?? []),
      ...Object.values(described.$defs ?? {}),
    ];
    const bounds = variants
      .flatMap((variant) => Object.entries(variant))
      .flatMap(([key, value]) =>
        BOUNDS[key] !== undefined && typeof value === "number" ? [[BOUNDS[key], value]] : [],
      );
    const items = [described.items ?? []].flat().filter((item) => typeof item === "object");
    for (const { maxLength } of items) {
      if (maxLength !== undefined) bounds.push(["max_characters_per_item", maxLength]);
    }
    return [name, Object.fromEntries(bounds)] as const;
  });
  return Object.fromEntries(all.filter(([, bounds]) => Object.keys(bounds).length > 0));
}
