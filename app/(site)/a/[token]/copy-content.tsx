"use client";

import { useState } from "react";

/** Copies the text at `url` to the clipboard; the button shows the result. */
export function CopyContent({ url, className }: { url: string; className: string }) {
  const [label, setLabel] = useState("Copy");
  const copy = async () => {
    try {
      // A promise inside the item: Safari requires the clipboard call during the click itself.
      const item = new ClipboardItem({ "text/plain": textAt(url) });
      await navigator.clipboard.write([item]);
      setLabel("Copied");
    } catch {
      setLabel("Could not copy");
    }
    setTimeout(setLabel, 2000, "Copy");
  };
  return (
    <button type="button" onClick={copy} className={className}>
      <span aria-live="polite">{label}</span>
    </button>
  );
}

async function textAt(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The content could not be read: ${response.status}.`);
  return new Blob([await response.text()], { type: "text/plain" });
}
