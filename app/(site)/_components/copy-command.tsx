"use client";

import { useState } from "react";
import { Icon } from "@/components/ui/icon";

/** A button that copies `text` and says whether it could; `what` names it for screen readers. */
export function CopyCommand({ text, what }: { text: string; what: string }) {
  const [label, setLabel] = useState("Copy");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setLabel("Copied");
    } catch {
      setLabel("Could not copy");
    }
    setTimeout(setLabel, 2000, "Copy");
  };
  return (
    <button type="button" onClick={copy} className="button">
      <Icon name="copy" />
      <span aria-live="polite">{label}</span>
      <span className="sr-only"> {what}</span>
    </button>
  );
}
