"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { isTyping } from "@/app/(dashboard)/_frame/is-typing";
import { useOnDemand } from "@/components/ui/on-demand";
import { isProgress, labelsChangeTo } from "@/lib/resources/tasks/progress";
import type { CardMove } from "./card-moves";
import {
  boxOf,
  clearSelection,
  extendSelection,
  focusedTask,
  selectAll,
  selectedIds,
  selectRange,
} from "./selection";
import { SelectionBar } from "./selection-bar";
import { progressLabel } from "./task-badges";
import type { Kind } from "./task-choices";
import { useBulkChange } from "./use-bulk-change";

const KINDS: Record<string, Kind> = { s: "progress", p: "priority", l: "label", d: "due_at" };

interface Props {
  openId: string | undefined;
  /** The labels of each task that the page shows, by its ID. */
  labels: Record<string, string[]>;
}

const loadPicker = () => import("./task-picker");

/**
 * Selects tasks with the pointer, x or Shift and arrows, and changes these, the focused one, or the
 * one that is open beside the list.
 */
export function TaskKeys({ openId, labels }: Props) {
  const router = useRouter();
  const [selected, setSelected] = useState<string[]>([]);
  const [picking, pick] = useState<{ kind: Kind; ids: string[] }>();
  // A row stays shown for a while after its task has left the list.
  const known = useRef(labels);
  useEffect(() => {
    known.current = { ...known.current, ...labels };
  }, [labels]);
  const [picker, fetchPicker] = useOnDemand(loadPicker);
  const { last, isBusy, change, undo, dismiss } = useBulkChange();
  const bar = useRef<HTMLElement>(null);

  const recount = useEffectEvent(() => {
    const ids = selectedIds();
    if (ids.join() !== selected.join()) setSelected(ids);
  });
  const open = (kind: Kind, ids: string[]) => {
    if (ids.length === 0) return;
    fetchPicker();
    pick({ kind, ids });
  };
  /** Returns whether the key did something. */
  const press = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const task = focusedTask();
    const kind = KINDS[key];
    if (kind) {
      const one = task?.dataset.task ?? openId;
      const ids = selected.length > 0 || one === undefined ? selected : [one];
      open(kind, ids);
      return ids.length > 0;
    }
    if (key === "x" && boxOf(task)) boxOf(task)?.click();
    else if (shiftKey && (key === "ArrowDown" || key === "J")) extendSelection(1);
    else if (shiftKey && (key === "ArrowUp" || key === "K")) extendSelection(-1);
    else if (key === "Escape" && selected.length > 0) clearSelection();
    else if (key === "Delete" && selected.length > 0) {
      bar.current?.querySelector<HTMLElement>("[aria-haspopup=dialog]")?.click();
    } else if (key === "e" && task) {
      const row = task.querySelector<HTMLAnchorElement>("[data-row]");
      if (!row) return false;
      const href = new URL(row.href);
      href.searchParams.set("edit", "1");
      router.push(href.pathname + href.search);
    } else return false;
    recount();
    return true;
  };
  const keys = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || picking) return;
    const isCommand = (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;
    if (isCommand && !isField(event)) {
      if (event.key === "z" && (isBusy || last?.undo.length)) {
        if (!event.repeat) void undo();
      } else if (event.key === "a" && focusedTask()) selectAll();
      else return;
      recount();
      event.preventDefault();
    } else if (!isTyping(event) && press(event)) event.preventDefault();
  });

  const move = useEffectEvent(({ id, name, progress }: CardMove) => {
    const to = progressLabel(progress);
    return change([id], { labels: labelsChangeTo(progress) }, to, `${name} moved to ${to}`);
  });
  /** Returns whether it was a button for the open task's progress. */
  const moveOpen = useEffectEvent((pressed: Element): boolean => {
    const step = pressed.closest<HTMLButtonElement>("[data-step]");
    if (openId === undefined || !isProgress(step?.value)) return false;
    void move({ id: openId, name: step?.dataset.step ?? "", progress: step.value });
    return true;
  });

  useEffect(() => {
    const over = new AbortController();
    let anchor: HTMLInputElement | null = null;
    let hadShift = false;
    const click = (event: MouseEvent) => {
      if (!(event.target instanceof Element)) return;
      // Without scripts its form moves the task.
      if (!event.defaultPrevented && moveOpen(event.target)) return event.preventDefault();
      if (!event.target.matches("[data-select]")) {
        // The click on the box itself follows, but without the modifier keys.
        hadShift = event.shiftKey;
        return;
      }
      const box = event.target as HTMLInputElement;
      if (anchor?.isConnected && (event.shiftKey || hadShift)) selectRange(anchor, box);
      anchor = box;
      hadShift = false;
      recount();
    };
    document.addEventListener("click", click, over);
    document.addEventListener(
      "move-card",
      (event) => {
        const { detail } = event as CustomEvent<CardMove>;
        detail.saved = move(detail);
      },
      over,
    );
    // Runs before the shortcuts of every page.
    document.addEventListener("keydown", keys, { capture: true, signal: over.signal });
    return () => over.abort();
  }, []);
  // The list may have lost rows.
  useEffect(() => recount());

  return (
    <>
      <SelectionBar
        ref={bar}
        ids={selected}
        last={last}
        isBusy={isBusy}
        pick={(kind) => open(kind, selected)}
        undo={() => {
          // The change that is running will replace the one that the button undoes.
          if (!isBusy) void undo();
        }}
        close={() => {
          clearSelection();
          recount();
          dismiss();
        }}
      />
      {picking && picker && (
        <picker.TaskPicker
          kind={picking.kind}
          tasks={picking.ids.map((id) => labels[id] ?? known.current[id] ?? [])}
          choose={({ name, done = name, change: wanted }) => {
            pick(undefined);
            void change(picking.ids, wanted, done);
          }}
          onClose={() => pick(undefined)}
        />
      )}
    </>
  );
}

function isField({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element && target.matches("input:not([type=checkbox]), textarea, select")
  );
}
