"use client";

import { AlertDialog } from "@base-ui/react/alert-dialog";
import { type ReactElement, useRef, useState } from "react";
import { ActionForm, type FormAction, Submit } from "./action-form";
import type { Question } from "./confirm";

/**
 * Asks in a modal dialog, which opens as soon as it is there. While what was confirmed is under way
 * it stays: closing it would look as if that could still be kept.
 */
export function ConfirmDialog(props: Question & { trigger: ReactElement }) {
  const { trigger, title, consequence, confirm, action, fields, typed, choice, successMessage } =
    props;
  const [open, setOpen] = useState(true);
  const isUnderWay = useRef(false);
  const word = useRef<HTMLInputElement>(null);
  const keep = useRef<HTMLButtonElement>(null);
  const act: FormAction = async (before, data) => {
    isUnderWay.current = true;
    try {
      return await action(before, data);
    } finally {
      isUnderWay.current = false;
    }
  };
  return (
    <AlertDialog.Root open={open} onOpenChange={(wish) => !isUnderWay.current && setOpen(wish)}>
      <AlertDialog.Trigger render={trigger} />
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="veil" />
        <AlertDialog.Popup
          initialFocus={typed ? word : keep}
          className="popup fixed inset-0 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[min(26rem,calc(100vw-2rem))] overflow-y-auto p-5 wrap-anywhere"
        >
          <AlertDialog.Title className="text-lead font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1 text-muted">
            {consequence}
          </AlertDialog.Description>
          <ActionForm action={act} onDone={() => setOpen(false)} className="mt-4">
            {Object.entries(fields).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            {typed && (
              <label className="mb-4 block">
                <span className="mb-1 block text-small text-muted">{typed.label}</span>
                <input
                  ref={word}
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
              <AlertDialog.Close ref={keep} className="button">
                Keep
              </AlertDialog.Close>
              <Submit className="button button-danger" successMessage={successMessage}>
                {confirm}
              </Submit>
            </div>
          </ActionForm>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
