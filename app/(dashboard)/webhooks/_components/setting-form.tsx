"use client";

import { type ReactNode, useState } from "react";

/**
 * The form of a setting. A newer version renews it, open and with the new values: at once if nothing is typed
 * into it, and otherwise once it has been sent.
 */
export function SettingForm({ version, children }: { version: number; children: ReactNode }) {
  const [shown, setShown] = useState(version);
  const [isTyped, setTyped] = useState(false);
  if (shown !== version && !isTyped) setShown(version);
  return (
    <div key={shown} onInput={() => setTyped(true)} onReset={() => setTyped(false)}>
      {children}
    </div>
  );
}
