import { unstable_isUnrecognizedActionError } from "next/navigation";
import { useContext, useRef, useState } from "react";
import { type FormResult, Owner } from "@/components/ui/action-form";
import { noteOwnChange } from "@/components/ui/own-changes";
import { announce, sayNoResponse, toast } from "@/components/ui/toast";
import { reloadWithTypedInput } from "@/components/ui/typed-input";
import { counted } from "@/lib/platform/counted";
import {
  applyToTasks,
  type BulkResult,
  type TasksChange,
  type Undo,
  undoChanges,
} from "../bulk-actions";

/** How many tasks one request changes. */
const REQUEST_MAX = 100;

export interface LastChange {
  words: string;
  undo: Undo[];
}

/** What the requests did, and the items that are left because one of them failed. */
interface Done<Item> extends BulkResult {
  left: Item[];
}

/** Changes tasks, one request at a time, and can undo the last change. */
export function useBulkChange() {
  const owner = useContext(Owner);
  const [last, setLast] = useState<LastChange>();
  const [isBusy, setBusy] = useState(false);
  const latest = useRef<LastChange>(undefined);
  const running = useRef<Promise<void>>(Promise.resolve());
  const keep = (done: LastChange | undefined) => {
    latest.current = done;
    setLast(done);
  };
  const show = (words: string, undo: Undo[]) => {
    keep({ words, undo });
    announce(words);
  };
  /** One after another: a quick second move of a card must not be lost. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const own = running.current.then(work).finally(() => {
      if (running.current === own) setBusy(false);
    });
    running.current = own;
    setBusy(true);
    return own;
  };
  /** Undefined if the first request failed, so that nothing is done. */
  const send = async <Item>(
    items: Item[],
    request: (part: Item[]) => Promise<FormResult | BulkResult>,
  ): Promise<Done<Item> | undefined> => {
    const done: Done<Item> = { undo: [], failed: 0, left: items };
    try {
      while (done.left.length > 0) {
        const result = await request(done.left.slice(0, REQUEST_MAX));
        if (result === null || "param" in result) {
          toast(result?.message ?? "Nothing was changed.");
          break;
        }
        noteOwnChange();
        done.undo.push(...result.undo);
        done.failed += result.failed;
        done.left = done.left.slice(REQUEST_MAX);
        if (result.stopped !== undefined) {
          toast(result.stopped);
          break;
        }
      }
    } catch (thrown) {
      if (unstable_isUnrecognizedActionError(thrown)) reloadWithTypedInput();
      else sayNoResponse();
    }
    return done.left.length < items.length ? done : undefined;
  };
  return {
    last,
    isBusy,
    dismiss: () => keep(undefined),
    /** `what` is done to each of the tasks; `words` say it if it was done to all, if not that. */
    change: (ids: string[], change: Omit<TasksChange, "ids">, what: string, words?: string) =>
      inTurn(async () => {
        const done = await send(ids, (part) => applyToTasks({ ...change, ids: part }, owner));
        if (!done) return;
        const { undo, left } = done;
        const failed = done.failed + left.length;
        if (undo.length > 0 || failed > 0) {
          show((failed === 0 && words) || wordsOf(what, { ...done, failed }), undo);
        } else announce("Nothing to change");
      }),
    /** Undoes the last change: the one that is running, if any. */
    undo: () => {
      const before = isBusy ? latest.current : null;
      return inTurn(async () => {
        // The change that was running has failed, and the person did not mean an earlier one.
        if (!latest.current || latest.current === before) return;
        const done = await send(latest.current.undo, (part) => undoChanges(part, owner));
        if (!done) return;
        const { failed } = done;
        const left = [...done.undo, ...done.left];
        const undone =
          left.length > 0 ? `Undone, except for ${counted(left.length, "task")}.` : "Undone.";
        const kept =
          failed > 0
            ? ` ${counted(failed, "task")} had changed since and ${failed === 1 ? "was" : "were"} left.`
            : "";
        show(`${undone}${kept}`, left);
      });
    },
  };
}

function wordsOf(what: string, result: BulkResult): string {
  const { undo, failed } = result;
  const changed = undo.length > 0 && `${counted(undo.length, "task")}: ${what}.`;
  const missed = failed > 0 && `${counted(failed, "task")} could not be changed.`;
  return [changed, missed].filter(Boolean).join(" ");
}
