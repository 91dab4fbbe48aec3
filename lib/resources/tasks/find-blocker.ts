import type { Caller } from "@/lib/platform/caller";
import { looksLikeId } from "@/lib/platform/db/ids";
import { invalidParam, quote } from "@/lib/platform/errors";
import { questionKind } from "@/lib/resources/questions/kind";
import { taskKind } from "./kind";
import { list } from "./service";

const SHOWN_MAX = 5;

/**
 * The ID of the task or question that `text` refers to: an ID, or text in the name or description of exactly
 * one open task of the caller's organization. A complete name takes precedence. Throws 400 if none
 * or several match.
 */
export async function findBlocker(caller: Caller, id: string, text: string): Promise<string> {
  const wanted = text.trim();
  if ([taskKind, questionKind].some(({ prefix }) => looksLikeId(prefix, wanted))) return wanted;
  const found = await list(caller, { q: wanted, not_label: ["done"], limit: 100 });
  const others = found.data.filter((task) => task.id !== id);
  const whole = others.filter((task) => task.name === wanted);
  const [match, another] = whole.length > 0 ? whole : others;
  if (match && !another) return match.id;
  if (!match) throw invalidParam("blocker", `No other open task has ${quote(wanted)} in its name.`);
  const names = others.slice(0, SHOWN_MAX).map((task) => `${quote(task.name)} (${task.id})`);
  throw invalidParam("blocker", `Several tasks match. Paste the ID of one: ${names.join(", ")}.`);
}
