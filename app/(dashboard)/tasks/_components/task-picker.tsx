"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useEffect, useState } from "react";
import { useTimeZone } from "@/components/ui/time";
import { counted } from "@/lib/platform/counted";
import { type Choice, choicesOf, type Kind, typedChoice } from "./task-choices";

interface Props {
  kind: Kind;
  /** The labels of each task that will change. */
  tasks: readonly string[][];
  choose(choice: Choice): void;
  onClose(): void;
}

const TITLES: Record<Kind, string> = {
  progress: "Progress",
  priority: "Priority",
  label: "Add or remove a label",
  due_at: "Due",
};

/** Selects a new value for tasks, by name or with the arrow keys. */
export function TaskPicker({ kind, tasks, choose, onClose }: Props) {
  const zone = useTimeZone();
  const [words, setWords] = useState("");
  const known = useKnownLabels(kind === "label");
  const labels = [...new Set([...known, ...tasks.flat()])];
  const wanted = words.trim().toLowerCase();
  const isWhole = /^(?:add|remove) /.test(wanted);
  const listed = choicesOf(kind, labels, tasks, zone).filter(({ name, label = name }) =>
    (isWhole ? name : label).toLowerCase().includes(wanted),
  );
  const typed = typedChoice(kind, words.trim(), labels, zone);
  const title = `${TITLES[kind]}, ${counted(tasks.length, "task")}`;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup
          aria-label={title}
          className="popup fixed inset-x-0 top-[12vh] mx-auto w-[min(24rem,calc(100vw-2rem))] overflow-hidden outline-none"
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            autoHighlight="always"
            items={typed ? [...listed, typed] : listed}
            itemToStringValue={({ name }: Choice) => name}
            value={words}
            onValueChange={setWords}
          >
            <Autocomplete.Input
              aria-label={title}
              placeholder={kind === "due_at" ? "Due, or tomorrow 9, fri 14:30, 2026-12-24" : title}
              className="min-h-11 w-full border-b border-line bg-transparent px-4 outline-none placeholder:text-muted"
            />
            <Autocomplete.Empty className="px-4 text-muted [&:not(:empty)]:py-4">
              {kind === "label" ? "Type a new label." : "Nothing matches."}
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-80 overflow-y-auto p-1">
              {(choice: Choice) => (
                <Autocomplete.Item
                  key={choice.name}
                  value={choice}
                  onClick={() => choose(choice)}
                  className="flex cursor-pointer justify-between gap-3 rounded-md px-3 py-2 data-highlighted:bg-surface"
                >
                  <span className="min-w-0 truncate">{choice.name}</span>
                  {choice.hint && (
                    <span className="shrink-0 text-muted tabular-nums">{choice.hint}</span>
                  )}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The organization's labels, the most used first; empty while they load. */
function useKnownLabels(isWanted: boolean): string[] {
  const [labels, setLabels] = useState<string[]>([]);
  useEffect(() => {
    if (!isWanted) return;
    const over = new AbortController();
    fetch("/tasks/labels", { signal: over.signal })
      .then((response) => (response.ok ? response.json() : []))
      .then(setLabels, () => {});
    return () => over.abort();
  }, [isWanted]);
  return labels;
}
