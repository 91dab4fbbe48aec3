"use client";

import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { ActionForm, type FormAction, Submit, type ToastResult } from "./action-form";
import { exactPattern } from "./exact-pattern";
import { useHydrated } from "./use-hydrated";

interface Props {
  /** The label of the button that opens the dialog. */
  label: ReactNode;
  className?: string;
  title: string;
  /** The consequences, with numbers if there are any. */
  consequence: string;
  /** The label of the button that confirms. */
  confirm: string;
  action: FormAction<ToastResult>;
  fields?: Record<string, string>;
  /** A word to type first, for large and irreversible changes. */
  typed?: string;
  /** True if the action destroys nothing. */
  isHarmless?: boolean;
  /** The toast after success, for changes that the page itself does not show. */
  successMessage?: string;
}

/** A button that asks in a modal dialog first; without scripts in a popover, which then shows a refusal too. */
export function Confirm({ label, isHarmless = false, ...question }: Props) {
  const tone = isHarmless ? "button" : "button button-danger";
  const { className = tone } = question;
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isHydrated = useHydrated();
  const id = useId();
  const open = (event: MouseEvent) => {
    event.preventDefault();
    flushSync(() => setOpen(true));
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  };
  // It was opened before the scripts loaded, or sent then and refused. Runs before `useHydrated`
  // changes, so that its form stays.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element?.matches(":popover-open, :has([role=alert])")) return;
    setOpen(true);
    const focused = document.activeElement;
    element.hidePopover();
    // Nothing in a closed menu is shown.
    element.parentElement?.closest<HTMLElement>("[popover]")?.showPopover();
    element.showModal();
    if (focused instanceof HTMLElement && element.contains(focused)) focused.focus();
  }, []);
  // Closing while the action runs would look like a cancellation.
  const isRunning = () => dialog.current?.querySelector("form")?.ariaBusy === "true";
  const stayWhileRunning = (event: SyntheticEvent) => {
    if (isRunning()) event.preventDefault();
  };
  const close = (event: MouseEvent) => {
    event.preventDefault();
    if (!isRunning()) dialog.current?.close();
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
  const { typed } = question;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        popoverTarget={`${id}-dialog`}
        onClick={open}
        className={className}
      >
        {label}
      </button>
      <dialog
        ref={dialog}
        id={`${id}-dialog`}
        popover="auto"
        role="alertdialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-consequence`}
        onCancel={stayWhileRunning}
        onKeyDown={keys}
        // The event is late: the dialog may be open again.
        onClose={({ currentTarget }) => setOpen(currentTarget.open)}
        className="popup m-auto max-h-[calc(100dvh-2rem)] w-[min(26rem,calc(100vw-2rem))] overflow-y-auto p-5 wrap-anywhere backdrop:bg-black/40"
      >
        {(isOpen || !isHydrated) && (
          <>
            <h2 id={`${id}-title`} className="text-lead font-semibold">
              {question.title}
            </h2>
            <p id={`${id}-consequence`} className="mt-1 text-muted">
              {question.consequence}
            </p>
            <ActionForm
              action={question.action}
              fields={question.fields}
              onDone={() => dialog.current?.close()}
              className="mt-4"
            >
              {typed && (
                <label className="mb-4 block">
                  <span className="mb-1 block text-small text-muted">Type {typed} to confirm</span>
                  <input
                    data-first
                    name="typed"
                    required
                    autoComplete="off"
                    autoCapitalize="off"
                    spellCheck={false}
                    pattern={`\\s*${exactPattern(typed)}\\s*`}
                    title={`Type ${typed}`}
                    className="field"
                  />
                </label>
              )}
              <div className="flex justify-end gap-2">
                <button
                  type="button"
                  data-first
                  popoverTarget={`${id}-dialog`}
                  popoverTargetAction="hide"
                  onClick={close}
                  className="button"
                >
                  Cancel
                </button>
                <Submit className={tone} successMessage={question.successMessage}>
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
