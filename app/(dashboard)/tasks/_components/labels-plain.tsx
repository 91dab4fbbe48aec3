import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect } from "react";
import { Icon } from "@/components/ui/icon";

/** Where the next letter of a field goes: the bounds of its selection. */
export type Caret = [from: number | null, to: number | null] | undefined;

/** What the plain field and the one with suggestions share, so that nothing is lost between them. */
export interface LabelsControl {
  id: string;
  group: RefObject<HTMLDivElement | null>;
  input: RefObject<HTMLInputElement | null>;
  /** Left by a field that goes while it has the focus. */
  caret: RefObject<Caret>;
  chosen: string[];
  choose(next: string[]): void;
  typed: string;
  /** Takes what the field now says; what stands before a comma is chosen. */
  type(text: string): void;
  addOnEnter(event: KeyboardEvent): void;
  /** Of the list; while the field is plain: that it is wanted as soon as it is there. */
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

interface Props extends LabelsControl {
  /** The suggestions may soon be needed. */
  prepare(): void;
  /** They are needed. */
  want(): void;
  /** While this is so the plain field stays: a press or an input method is at work in it. */
  isHeld: boolean;
  setHeld(isHeld: boolean): void;
  /** Takes what the field now says as it is: what an input method is writing is not split yet. */
  setTyped(text: string): void;
}

/** What both look like. */
export const LOOK = {
  group:
    "cursor-text rounded-md border border-line-strong bg-canvas p-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent",
  chips: "flex flex-wrap items-center gap-1.5",
  chip: "flex h-6 max-w-full cursor-default items-center rounded border border-line bg-surface pl-1.5 text-small outline-none focus-within:outline-2 focus-within:outline-accent focus-visible:outline-2 focus-visible:outline-accent",
  name: "min-w-0 truncate",
  remove:
    "flex size-6 shrink-0 items-center justify-center text-muted hover:text-ink noscript:hidden",
  input: "min-h-6 min-w-24 flex-1 bg-transparent px-1 outline-none placeholder:text-muted",
};

/** All of the field but its suggestions, and named as what it becomes with them. */
export function LabelsPlain(props: Props) {
  const { id, group, input, caret, chosen, choose, typed, type, setOpen, setHeld } = props;

  useLayoutEffect(() => {
    const field = input.current;
    return () => {
      if (!field || field !== document.activeElement) return;
      caret.current = [field.selectionStart, field.selectionEnd];
    };
  }, [input, caret]);

  const press = (event: MouseEvent) => {
    if (event.button !== 0) return;
    // Until its click has come: an element that goes meanwhile takes the click with it.
    setHeld(true);
    addEventListener("mouseup", () => setTimeout(() => setHeld(false)), { once: true });
    if (event.target !== input.current) event.preventDefault();
    if (event.target instanceof Element && event.target.closest("button")) return;
    setOpen(true);
    input.current?.focus();
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown" || event.key === "Escape") setOpen(event.key === "ArrowDown");
    else if (event.key !== "Backspace" || typed !== "") props.addOnEnter(event);
    else if (chosen.length > 0) choose(chosen.slice(0, -1));
  };
  const grouped = {
    role: "group",
    onPointerEnter: props.prepare,
    onFocus: props.want,
    onMouseDown: press,
  };

  return (
    <>
      <div ref={group} className={LOOK.group} {...grouped}>
        <div
          className={LOOK.chips}
          {...(chosen.length > 0 && { role: "toolbar", "aria-label": "Chosen labels" })}
        >
          {chosen.map((one) => (
            <div key={one} className={LOOK.chip}>
              <span className={LOOK.name}>{one}</span>
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Remove ${one}`}
                className={LOOK.remove}
                onClick={() => {
                  choose(chosen.filter((other) => other !== one));
                  input.current?.focus();
                }}
              >
                <Icon name="close" className="size-3" />
              </button>
            </div>
          ))}
          <input
            ref={input}
            id={id}
            name="more_labels"
            role="combobox"
            aria-expanded="false"
            aria-haspopup="listbox"
            aria-autocomplete="list"
            placeholder={chosen.length > 0 ? "" : "Add a label"}
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="none"
            spellCheck="false"
            enterKeyHint="done"
            value={typed}
            onChange={({ target: { value } }) => {
              setOpen(value.trim() !== "");
              if (props.isHeld) props.setTyped(value);
              else type(value);
            }}
            onCompositionStart={() => setHeld(true)}
            onCompositionEnd={({ currentTarget: { value } }) => {
              setHeld(false);
              type(value);
            }}
            onKeyDown={keys}
            onBlur={() => setOpen(false)}
            className={LOOK.input}
          />
        </div>
      </div>
      {chosen.map((one) => (
        <input key={one} type="hidden" name="label" value={one} />
      ))}
    </>
  );
}
