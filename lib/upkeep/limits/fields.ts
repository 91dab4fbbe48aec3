import * as z from "zod";
import { Rotate } from "@/lib/identity/me/contract";
import { ShareCreate } from "@/lib/resources/artifacts/contract";
import { Batch } from "@/lib/resources/batch/contract";
import { Extend, NackOne, Receive, Settle } from "@/lib/resources/inboxes/events/consumer-contract";
import { type Kind, kinds } from "@/lib/resources/kinds";
import { Answer } from "@/lib/resources/questions/contract";
import { operationOf } from "@/lib/resources/registry";
import { SubscriptionCreate } from "@/lib/resources/subscriptions/contract";
import { LeaseNext, LeaseTake } from "@/lib/resources/tasks/lease-contract";
import { NoteCreate, TaskCompletion } from "@/lib/resources/tasks/notes-contract";
import { WebhookReplay } from "@/lib/resources/webhooks/events/contract";
import { WebhookForwardPut } from "@/lib/resources/webhooks/forward/contract";
import { BulkReplayCreate } from "@/lib/resources/webhooks/replays/contract";
import { WebhookVerificationPut } from "@/lib/resources/webhooks/verification/contract";

const bodies = {
  ...Object.fromEntries(kinds.flatMap(createAndUpdate)),
  task_lease: LeaseTake,
  task_lease_next: LeaseNext,
  task_complete: TaskCompletion,
  task_note: NoteCreate,
  webhook_replay: WebhookReplay,
  webhook_verification: WebhookVerificationPut,
  webhook_forward: WebhookForwardPut,
  webhook_bulk_replay: BulkReplayCreate,
  artifact_share: ShareCreate,
  inbox_receive: Receive,
  inbox_nack: NackOne,
  inbox_extend: Extend,
  inbox_settle: Settle,
  question_answer: Answer,
  subscription_create: SubscriptionCreate,
  batch: Batch,
  key_rotate: Rotate,
};

/** Bounds by property, then by name. */
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

/** The bodies that every kind has, such as `task_create` and `task_update`. */
function createAndUpdate({ name, noun }: Kind): [string, z.ZodObject][] {
  const named = {
    create: operationOf(name, "POST")?.body,
    update: operationOf(name, "PATCH", "/{id}")?.body,
  };
  const [kind] = noun.split(" ", 1);
  return Object.entries(named).flatMap(([verb, body]): [string, z.ZodObject][] =>
    body instanceof z.ZodObject ? [[`${kind}_${verb}`, body]] : [],
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
