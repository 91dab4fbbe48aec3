import { artifactKind } from "./artifacts/kind";
import { inboxKind } from "./inboxes/kind";
import type { KindDescription } from "./kind";
import { messageKind } from "./messages/kind";
import { questionKind } from "./questions/kind";
import { scheduleKind } from "./schedules/kind";
import { taskKind } from "./tasks/kind";
import { webhookKind } from "./webhooks/kind";

const all = [
  taskKind,
  webhookKind,
  artifactKind,
  messageKind,
  inboxKind,
  scheduleKind,
  questionKind,
] as const;

export type KindName = (typeof all)[number]["name"];
export type Kind = KindDescription & { name: KindName };

/** Every kind of resource, in the order of the navigation. lib/resources/registry.ts has their code. */
export const kinds: readonly Kind[] = all;

export function kindNamed(name: KindName): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (!kind) throw new Error(`There is no kind of resource named ${name}.`);
  return kind;
}

export function kindOf(id: string): Kind | undefined {
  return kinds.find(({ prefix }) => id.startsWith(`${prefix}_`));
}
