import { unstable_isUnrecognizedActionError } from "next/navigation";
import { useRef, useState } from "react";
import type { FormResult } from "@/components/ui/action-form";
import { noteOwnChange } from "@/components/ui/own-changes";
import { announce, sayNoResponse, toast } from "@/components/ui/toast";
import { reloadWithTypedInput } from "@/components/ui/typed-input";
import { counted } from "@/lib/platform/counted";
import type { BulkResult, TasksChange, Undo } from "../bulk-actions";

/** How many tasks one request changes. */
const REQUEST_MAX = 100;

export interface BulkActions {
  change(change: TasksChange): Promise<FormResult | BulkResult>;
  undo(tasks: Undo[]): Promise<FormResult | BulkResult>;
}

/** The last change, and how to undo it. */
export interface LastChange {
  words: string;
  undo: Undo[];
}

/** Changes tasks, one request at a time, and can undo the last change. */
export function useBulkChange(actions: BulkActions) {
  const [last, setLast] = useState<LastChange>();
  const [isBusy, setBusy] = useState(false);
  const running = useRef<Promise<void>>(Promise.resolve());
  const show = (words: string, undo: Undo[]) => {
    setLast({ words, undo });
    announce(words);
  };
  const send = async <Item>(
    items: Item[],
    request: (part: Item[]) => Promise<FormResult | BulkResult>,
  ): Promise<BulkResult | undefined> => {
    // One after another: a quick second move of a card must not be lost.
    const previous = running.current;
    let end = () => {};
    running.current = new Promise((resolve) => {
      end = resolve;
    });
    await previous;
    setBusy(true);
    const all: BulkResult = { undo: [], failed: 0 };
    try {
      for (let start = 0; start < items.length; start += REQUEST_MAX) {
        const result = await request(items.slice(start, start + REQUEST_MAX));
        if (result === null || "param" in result) {
          toast(result?.message ?? "Nothing was changed.");
          break;
        }
        noteOwnChange();
        all.undo.push(...result.undo);
        all.failed += result.failed;
      }
    } catch (thrown) {
      if (unstable_isUnrecognizedActionError(thrown)) reloadWithTypedInput();
      else sayNoResponse();
    } finally {
      setBusy(false);
      end();
    }
    return all;
  };
  return {
    last,
    isBusy,
    dismiss: () => setLast(undefined),
    /** `name` is the chosen value; `words` say what was done, if not that. */
    change: async (
      ids: string[],
      change: Omit<TasksChange, "ids">,
      name: string,
      words?: string,
    ) => {
      const result = await send(ids, (part) => actions.change({ ...change, ids: part }));
      if (!result) return;
      const { undo, failed } = result;
      if (undo.length > 0 || failed > 0) {
        show((failed === 0 && words) || wordsOf(change, name, result), undo);
      } else announce("Nothing to change");
    },
    undo: async () => {
      if (!last) return;
      const result = await send(last.undo, actions.undo);
      if (!result) return;
      const { failed } = result;
      const kept =
        failed > 0
          ? ` ${counted(failed, "task")} had changed since and ${failed === 1 ? "was" : "were"} left.`
          : "";
      show(`Undone.${kept}`, []);
    },
  };
}

function wordsOf(change: Omit<TasksChange, "ids">, name: string, result: BulkResult): string {
  const { label } = change;
  const isAdded = label !== undefined && !result.undo[0]?.before.labels?.includes(label);
  const what = label === undefined ? name : `label ${label} ${isAdded ? "added" : "removed"}`;
  const missed =
    result.failed > 0 ? ` ${counted(result.failed, "task")} could not be changed.` : "";
  return `${counted(result.undo.length, "task")}: ${what}.${missed}`;
}
