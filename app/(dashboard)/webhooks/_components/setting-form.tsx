"use client";

import { type ReactNode, useState } from "react";

/**
 * The form of a setting, below a button, with the setting's tag. When the setting changes, the form is renewed: at once if
 * nothing has been typed into it, and otherwise once it has been saved.
 */
export function SettingForm(props: { tag: string; label: string; children: ReactNode }) {
  const { tag, label, children } = props;
  const [shown, setShown] = useState(tag);
  const [isTyped, setTyped] = useState(false);
  if (shown !== tag && !isTyped) setShown(tag);
  return (
    <details className="min-w-0 flex-1 basis-60">
      <summary className="button w-fit">{label}</summary>
      <div key={shown} onInput={() => setTyped(true)} onReset={() => setTyped(false)}>
        {children}
      </div>
    </details>
  );
}
