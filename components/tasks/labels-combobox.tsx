"use client";

import { Combobox } from "@base-ui/react/combobox";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";

interface Props {
  /** What the task carries. */
  labels: string[];
  /** What other tasks carry: suggestions, best first. */
  known: string[];
}

/**
 * Labels as chips, with suggestions as they are typed; Enter or a comma adds what was typed. What is
 * not added yet is sent too, and split at its commas: without scripts that is the only way.
 */
export default function LabelsCombobox({ labels, known }: Props) {
  const [chosen, setChosen] = useState(() => [...new Set(labels)]);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const highlighted = useRef<string | undefined>(undefined);
  const group = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const actions = useRef<Combobox.Root.Actions>(null);
  const label = typed.trim();
  const offered = [...new Set([...known, ...labels])].filter((one) => !chosen.includes(one));
  const isNew = label !== "" && !offered.includes(label) && !chosen.includes(label);

  // What was typed before the scripts ran; the next render would empty the field.
  useLayoutEffect(() => setTyped(input.current?.value ?? ""), []);

  useEffect(() => {
    if (!isOpen) actions.current?.unmount();
  }, [isOpen]);

  const choose = (next: string[]) => {
    setChosen(next);
    // A press is an edit too: whoever guards the form's unsaved words listens for this.
    group.current?.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const add = (words: string[]) => {
    const added = words.map((word) => word.trim()).filter((word) => word !== "");
    if (added.length > 0) choose([...new Set([...chosen, ...added])]);
  };
  const type = (text: string) => {
    const words = text.split(",");
    setTyped(words.pop() ?? "");
    add(words);
  };
  const keys = (event: KeyboardEvent) => {
    const isAdding = event.key === "Enter" && !event.nativeEvent.isComposing && label !== "";
    if (!isAdding || (isOpen && highlighted.current !== undefined)) return;
    event.preventDefault();
    add([label]);
    setTyped("");
  };

  return (
    <Field label="Labels" hint="Enter or a comma adds one" className="sm:col-span-6">
      {(id) => (
        <Combobox.Root
          multiple
          name="label"
          items={isNew ? [...offered, label] : offered}
          value={chosen}
          onValueChange={(next, { reason }) => {
            // Escape closes the list; it does not take all labels away.
            if (reason === "escape-key") return;
            choose(next);
            if (reason === "item-press") setTyped("");
          }}
          open={isOpen}
          onOpenChange={setOpen}
          actionsRef={actions}
          inputValue={typed}
          // Only the person empties the field: what was typed stays when the list closes.
          onInputValueChange={(text, { reason }) => reason === "input-change" && type(text)}
          onItemHighlighted={(item) => {
            highlighted.current = item;
          }}
        >
          <Combobox.InputGroup
            ref={group}
            className="cursor-text rounded-md border border-line-strong bg-canvas p-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent"
          >
            <Combobox.Chips
              className="flex flex-wrap items-center gap-1.5"
              aria-label={chosen.length > 0 ? "Chosen labels" : undefined}
            >
              {chosen.map((one) => (
                <Chip key={one}>{one}</Chip>
              ))}
              <Combobox.Input
                ref={input}
                id={id}
                name="more_labels"
                placeholder={chosen.length > 0 ? "" : "Add a label"}
                autoComplete="off"
                enterKeyHint="done"
                onKeyDown={keys}
                onBlur={({ relatedTarget }) => {
                  if (!list.current?.contains(relatedTarget)) setOpen(false);
                }}
                className="min-h-6 min-w-24 flex-1 bg-transparent px-1 outline-none placeholder:text-muted"
              />
            </Combobox.Chips>
          </Combobox.InputGroup>
          {/* Without a `Combobox.Popup`, which hides a page from screen readers that still has the focus. */}
          <Combobox.Portal>
            <Combobox.Positioner sideOffset={6} className="z-30 data-empty:hidden">
              <Combobox.List
                ref={list}
                className="max-h-[min(var(--available-height),16rem)] w-(--anchor-width) overflow-y-auto overscroll-contain rounded-md border border-line-strong/60 bg-canvas p-1"
              >
                {(one: string) => (
                  <Combobox.Item
                    key={one}
                    value={one}
                    className="cursor-pointer truncate rounded px-2 py-1 data-highlighted:bg-surface"
                  >
                    {isNew && one === label ? `Add “${one}”` : one}
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}

function Chip({ children }: { children: string }) {
  return (
    <Combobox.Chip
      aria-label={children}
      aria-description="Backspace removes it"
      className="flex h-6 max-w-full cursor-default items-center rounded border border-line bg-surface pl-1.5 text-small outline-none focus-within:outline-2 focus-within:outline-accent focus-visible:outline-2 focus-visible:outline-accent"
    >
      <span className="min-w-0 truncate">{children}</span>
      <Combobox.ChipRemove
        aria-label={`Remove ${children}`}
        className="flex size-6 shrink-0 items-center justify-center text-muted hover:text-ink noscript:hidden"
      >
        <Icon name="close" className="size-3" />
      </Combobox.ChipRemove>
    </Combobox.Chip>
  );
}
