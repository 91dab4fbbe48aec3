"use client";

import { Combobox } from "@base-ui/react/combobox";
import { useEffect, useLayoutEffect, useRef } from "react";
import { Icon } from "@/components/ui/icon";
import { type LabelsControl, LOOK } from "./labels-plain";

interface Props extends LabelsControl {
  /** What can be chosen, best first. */
  offered: string[];
}

/** The field of labels with suggestions as they are typed; the keyboard walks its chips too. */
export function LabelsCombobox(props: Props) {
  const { id, group, input, caret, chosen, choose, typed, type, isOpen, setOpen, offered } = props;
  const highlighted = useRef<string | undefined>(undefined);
  const list = useRef<HTMLDivElement>(null);
  const actions = useRef<Combobox.Root.Actions>(null);
  const label = typed.trim();
  const isNew = label !== "" && !offered.includes(label) && !chosen.includes(label);

  useLayoutEffect(() => {
    if (!caret.current) return;
    input.current?.focus({ preventScroll: true });
    input.current?.setSelectionRange(...caret.current);
  }, [input, caret]);

  useEffect(() => {
    if (!isOpen) actions.current?.unmount();
  }, [isOpen]);

  return (
    <Combobox.Root
      multiple
      name="label"
      items={isNew ? [...offered, label] : offered}
      value={chosen}
      onValueChange={(next, { reason }) => {
        // Escape closes the list; it does not take all labels away.
        if (reason === "escape-key") return;
        choose(next);
        if (reason === "item-press") type("");
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
      <Combobox.InputGroup ref={group} className={LOOK.group}>
        <Combobox.Chips
          className={LOOK.chips}
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
            onKeyDown={(event) => {
              if (!isOpen || highlighted.current === undefined) props.addOnEnter(event);
            }}
            onBlur={({ relatedTarget }) => {
              if (!list.current?.contains(relatedTarget)) setOpen(false);
            }}
            className={LOOK.input}
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
  );
}

function Chip({ children }: { children: string }) {
  return (
    <Combobox.Chip
      aria-label={children}
      aria-description="Backspace removes it"
      className={LOOK.chip}
    >
      <span className={LOOK.name}>{children}</span>
      <Combobox.ChipRemove aria-label={`Remove ${children}`} className={LOOK.remove}>
        <Icon name="close" className="size-3" />
      </Combobox.ChipRemove>
    </Combobox.Chip>
  );
}
