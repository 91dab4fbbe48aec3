"use client";

import {
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { ActionForm, type FormAction, Submit } from "./action-form";

interface Props {
  /** The label of the button that opens the dialog. */
  label: ReactNode;
  className?: string;
  title: string;
  /** What will happen, in numbers where there are any. */
  consequence: string;
  /** The label of the button that confirms. */
  confirm: string;
  action: FormAction;
  fields: Record<string, string>;
  /** A word to type first, for large and irreversible changes. */
  typed?: { label: string; value: string };
  /** An option of the action. */
  choice?: { name: string; label: string; isChosen: boolean };
  /** The toast after success, where the page itself does not show the change. */
  successMessage?: string;
}

/** A button that asks in a modal dialog before it destroys something. */
export function Confirm({ label, className = "button button-danger", ...question }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isRunning = useRef(false);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const open = () => {
    flushSync(() => setOpen(true));
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  };
  // Closing while the action runs would look like a cancellation.
  const stayWhileRunning = (event: SyntheticEvent) => {
    if (isRunning.current) event.preventDefault();
  };
  const keys = (event: KeyboardEvent) => {
    // A second Escape would close the dialog whatever `cancel` says.
    if (event.key === "Escape") stayWhileRunning(event);
    if (event.key !== "Tab") return;
    const stops = [
      ...(dialog.current?.querySelectorAll<HTMLElement>("button, input:not([type=hidden])") ?? []),
    ];
    const [next, last] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
    if (document.activeElement !== last) return;
    event.preventDefault();
    next?.focus();
  };
  const run: FormAction = async (before, data) => {
    isRunning.current = true;
    try {
      return await question.action(before, data);
    } finally {
      isRunning.current = false;
    }
  };
  const { typed, choice } = question;
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={open} className={className}>
        {label}
      </button>
      <dialog
        ref={dialog}
        role="alertdialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-consequence`}
        onCancel={stayWhileRunning}
        onKeyDown={keys}
        onClose={() => setOpen(false)}
        className="popup m-auto max-h-[calc(100dvh-2rem)] w-[min(26rem,calc(100vw-2rem))] overflow-y-auto p-5 wrap-anywhere backdrop:bg-black/40"
      >
        {isOpen && (
          <>
            <h2 id={`${id}-title`} className="text-lead font-semibold">
              {question.title}
            </h2>
            <p id={`${id}-consequence`} className="mt-1 text-muted">
              {question.consequence}
            </p>
            <ActionForm action={run} onDone={() => dialog.current?.close()} className="mt-4">
              {Object.entries(question.fields).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              {typed && (
                <label className="mb-4 block">
                  <span className="mb-1 block text-small text-muted">{typed.label}</span>
                  <input
                    data-first
                    name="typed"
                    required
                    autoComplete="off"
                    pattern={typed.value.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&")}
                    title={`Type ${typed.value}`}
                    className="field"
                  />
                </label>
              )}
              {choice && (
                <label className="mb-4 flex items-baseline gap-2">
                  <input type="checkbox" name={choice.name} defaultChecked={choice.isChosen} />
                  <span>{choice.label}</span>
                </label>
              )}
              <div className="flex justify-end gap-2">
                <button
                  type="button"
                  data-first
                  onClick={() => isRunning.current || dialog.current?.close()}
                  className="button"
                >
                  Keep
                </button>
                <Submit className="button button-danger" successMessage={question.successMessage}>
                  {question.confirm}
                </Submit>
              </div>
            </ActionForm>
          </>
        )}
      </dialog>
    </>
  );
}
