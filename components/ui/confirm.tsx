"use client";

import type { ReactNode } from "react";
import type { FormAction } from "./action-form";
import { useOnPress } from "./on-demand";

export interface Question {
  title: string;
  /** What happens, in numbers where there are any. */
  consequence: string;
  /** What the button that does it says. */
  confirm: string;
  action: FormAction;
  fields: Record<string, string>;
  /** A word to type first, for what cannot be undone and is large. */
  typed?: { label: string; value: string };
  /** Something that may be done at the same time. */
  choice?: { name: string; label: string; isChosen: boolean };
  /** The toast after success, where the page itself does not show the change. */
  successMessage?: string;
}

interface Props extends Question {
  /** What the button that asks says. */
  label: ReactNode;
  className?: string;
}

const loadDialog = () => import("./confirm-dialog");

/** A button that asks once before it destroys. */
export function Confirm({ label, className = "button button-danger", ...question }: Props) {
  const [popup, press] = useOnPress(loadDialog);
  const button = (pressed: typeof press | undefined) => (
    <button type="button" aria-haspopup="dialog" className={className} {...pressed}>
      {label}
    </button>
  );
  if (!popup) return button(press);
  return <popup.ConfirmDialog {...question} trigger={button(undefined)} />;
}
