"use client";

import { type ReactNode, useState } from "react";

/**
 * The form of a setting, with the setting's tag. When the setting changes, the form is renewed: at once if
 * nothing has been typed into it, and otherwise once it has been saved.
 */
export function SettingForm({ tag, children }: { tag: string; children: ReactNode }) {
  const [shown, setShown] = useState(tag);
  const [isTyped, setTyped] = useState(false);
  if (shown !== tag && !isTyped) setShown(tag);
  return (
    <div key={shown} onInput={() => setTyped(true)} onReset={() => setTyped(false)}>
      {children}
    </div>
  );
}
