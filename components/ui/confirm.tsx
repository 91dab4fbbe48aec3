"use client";

import { type ReactNode, useRef } from "react";
import { ActionForm, type FormAction, Submit } from "./action-form";

interface Props {
  /** Unique on the page. */
  id: string;
  /** What the button that asks says. */
  label: ReactNode;
  title: string;
  /** What happens, in numbers where there are any. */
  consequence: string;
  /** What the button that does it says. */
  confirm: string;
  action: FormAction;
  fields: Record<string, string>;
  /** A word to type first, for what cannot be undone and is large. */
  typed?: { label: string; value: string };
  className?: string;
}

/**
 * Asks once before it destroys, in the browser's own modal dialog: the page behind it is inert,
 * Escape closes it, the focus goes back to the button. `command` opens it before any script runs.
 */
export function Confirm(props: Props) {
  const { id, label, title, consequence, confirm, action, fields, typed, className } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button
        type="button"
        {...{ command: "show-modal", commandfor: id }}
        onClick={() => !knowsCommands() && dialog.current?.showModal()}
        className={className ?? "button button-danger"}
      >
        {label}
      </button>
      <dialog
        ref={dialog}
        id={id}
        {...{ closedby: "any" }}
        aria-label={title}
        className="m-auto w-[min(26rem,calc(100vw-2rem))] rounded-md border border-line-strong/60 bg-canvas p-5 whitespace-normal text-ink backdrop:bg-[rgb(0_0_0/0.4)]"
      >
        <h2 className="text-lead font-semibold">{title}</h2>
        <p className="mt-1 text-muted">{consequence}</p>
        <ActionForm action={action} onDone={() => dialog.current?.close()} className="mt-4">
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {typed && (
            <label className="mb-4 block">
              <span className="mb-1 block text-small text-muted">{typed.label}</span>
              <input
                name="typed"
                required
                autoComplete="off"
                pattern={typed.value.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&")}
                title={`Type ${typed.value}`}
                className="field"
              />
            </label>
          )}
          <div className="flex justify-end gap-2">
            <button
              type="button"
              {...{ command: "close", commandfor: id }}
              onClick={() => !knowsCommands() && dialog.current?.close()}
              className="button"
            >
              Keep
            </button>
            <Submit className="button button-danger">{confirm}</Submit>
          </div>
        </ActionForm>
      </dialog>
    </>
  );
}

/** Older browsers have the dialog, and not the attributes that open it. */
function knowsCommands() {
  return "commandForElement" in HTMLButtonElement.prototype;
}
