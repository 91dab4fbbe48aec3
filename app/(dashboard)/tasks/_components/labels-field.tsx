"use client";

import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";

interface Props {
  labels: string[];
  /** Labels to suggest, best first. */
  known: string[];
}

const NONE = -1;

/**
 * Labels as chips, with suggestions. Enter or a comma adds the typed text. Text that is not a chip
 * yet is sent too, split at its commas, since without scripts there are no chips.
 */
export function LabelsField({ labels, known }: Props) {
  // A refresh of the page changes `labels`, but not the form.
  const [opened] = useState(() => [...new Set(labels)]);
  const [chosen, setChosen] = useState(opened);
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(NONE);
  const group = useRef<HTMLFieldSetElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();

  // The user may have typed before hydration.
  useLayoutEffect(() => setTyped(input.current?.value ?? ""), []);

  const suggested = [...new Set([...known, ...labels])];
  const options = optionsFor(typed.trim(), chosen, suggested);
  const before = JSON.stringify(opened);
  const now = JSON.stringify(chosen);
  const isListed = isOpen && options.length > 0;
  const activeId = isListed && options[active] ? `${listId}-${active}` : undefined;
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);

  const toggle = (open: boolean) => {
    setOpen(open);
    setActive(NONE);
  };
  const choose = (next: string[]) => {
    setChosen([...new Set(next.map((label) => label.trim()).filter(Boolean))]);
    // `UnsavedGuard` listens for this.
    group.current?.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const add = (added: string[], rest = "") => {
    if (added.length > 0) choose([...chosen, ...added]);
    setTyped(rest);
    setActive(NONE);
  };
  const type = (text: string) => {
    const words = text.split(",");
    const rest = words.pop() ?? "";
    add(words, rest);
    setOpen(true);
  };
  const remove = (label: string) => {
    choose(chosen.filter((other) => other !== label));
    input.current?.focus();
  };
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = isOpen ? options[active] : undefined;
    if (step !== undefined) {
      event.preventDefault();
      if (isOpen) setActive(Math.min(Math.max(active + step, NONE), options.length - 1));
      else toggle(true);
    } else if (event.key === "Enter" && (option !== undefined || typed.trim() !== "")) {
      event.preventDefault();
      add(option === undefined ? typed.split(",") : [option]);
      if (option === undefined) toggle(false);
    } else if (event.key === "Escape" && isListed) {
      // It closes the suggestions, and not the form.
      event.preventDefault();
      toggle(false);
    } else if (event.key === "Backspace" && typed === "") {
      // Held down, it deletes the typed text only.
      if (!event.repeat) choose(chosen.slice(0, -1));
    } else if (event.key === "ArrowLeft" && event.currentTarget.selectionEnd === 0) {
      removeButtons(group.current).at(-1)?.focus();
    }
  };

  return (
    <Field label="Labels" hint="Enter or a comma adds one" className="sm:col-span-6">
      {(id) => (
        <fieldset
          ref={group}
          onBlur={({ relatedTarget }) => {
            if (!group.current?.contains(relatedTarget)) toggle(false);
          }}
          className="relative min-w-0 rounded-md border border-line-strong bg-canvas p-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent"
        >
          <div
            className="flex flex-wrap items-center gap-1.5"
            {...(chosen.length > 0 && { role: "toolbar", "aria-label": "Chosen labels" })}
          >
            {chosen.map((label) => (
              <Chip key={label} label={label} remove={() => remove(label)} />
            ))}
            <input type="hidden" name="labels_shown" value={before} />
            <input
              name="chosen_labels"
              hidden
              value=""
              data-kept={now === before ? undefined : now}
              onChange={({ target }) => target.value && setChosen(JSON.parse(target.value))}
            />
            <input
              ref={input}
              id={id}
              name="more_labels"
              role="combobox"
              aria-expanded={isListed}
              aria-controls={isListed ? listId : undefined}
              aria-autocomplete="list"
              aria-activedescendant={activeId}
              placeholder={chosen.length > 0 ? "" : "Add a label"}
              autoComplete="off"
              autoCorrect="off"
              autoCapitalize="none"
              spellCheck="false"
              enterKeyHint="done"
              value={typed}
              onChange={({ target, nativeEvent }) => {
                const isComposing = nativeEvent instanceof InputEvent && nativeEvent.isComposing;
                if (isComposing) setTyped(target.value);
                else type(target.value);
              }}
              onCompositionEnd={({ currentTarget }) => type(currentTarget.value)}
              onKeyDown={keys}
              onClick={() => toggle(true)}
              className="min-h-6 min-w-24 flex-1 bg-transparent px-1 outline-none placeholder:text-muted"
            />
          </div>
          {isListed && (
            <div
              id={listId}
              role="listbox"
              aria-label="Suggested labels"
              className="popup absolute inset-x-0 top-full mt-1.5 max-h-64 overflow-y-auto overscroll-contain p-1"
            >
              {options.map((label, index) => (
                <div
                  key={label}
                  id={`${listId}-${index}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={index === active}
                  onMouseDown={(event) => {
                    // The field keeps the focus.
                    event.preventDefault();
                    add([label]);
                  }}
                  className="cursor-pointer truncate rounded px-2 py-1 hover:bg-surface aria-selected:bg-surface"
                >
                  {label === typed.trim() && !suggested.includes(label) ? `Add “${label}”` : label}
                </div>
              ))}
            </div>
          )}
          {chosen.map((label) => (
            <input key={label} type="hidden" name="label" value={label} />
          ))}
        </fieldset>
      )}
    </Field>
  );
}

function Chip({ label, remove }: { label: string; remove(): void }) {
  const keys = (event: KeyboardEvent<HTMLButtonElement>) => {
    const buttons = removeButtons(event.currentTarget.closest("fieldset"));
    const at = buttons.indexOf(event.currentTarget);
    if (event.key === "Backspace" || event.key === "Delete") remove();
    else if (event.key === "ArrowLeft") buttons[Math.max(at - 1, 0)]?.focus();
    else if (event.key === "ArrowRight") {
      const group = event.currentTarget.closest("fieldset");
      const input = group?.querySelector<HTMLElement>("[role=combobox]");
      (buttons[at + 1] ?? input)?.focus();
    }
  };
  return (
    <span className="flex h-6 max-w-full items-center rounded border border-line bg-surface pl-1.5 text-small focus-within:outline-2 focus-within:outline-accent">
      <span className="min-w-0 truncate">{label}</span>
      <button
        type="button"
        tabIndex={-1}
        data-remove
        aria-label={`Remove ${label}`}
        onClick={remove}
        onKeyDown={keys}
        className="flex size-6 shrink-0 items-center justify-center text-muted outline-none hover:text-ink noscript:hidden"
      >
        <Icon name="close" className="size-3" />
      </button>
    </span>
  );
}

function removeButtons(within: Element | null): HTMLElement[] {
  return [...(within?.querySelectorAll<HTMLElement>("[data-remove]") ?? [])];
}

/** The known labels that contain the text, then the text itself if it is a new label. */
function optionsFor(text: string, chosen: string[], known: string[]): string[] {
  const words = text.toLowerCase();
  const offered = known.filter((label) => !chosen.includes(label));
  const matching = offered.filter((label) => label.toLowerCase().includes(words));
  const isNew = text !== "" && !offered.includes(text) && !chosen.includes(text);
  return isNew ? [...matching, text] : matching;
}
