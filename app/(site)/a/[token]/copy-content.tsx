"use client";

import { CopyWords } from "@/app/(site)/_components/copy-command";

/** Copies the text at `url` to the clipboard. */
export function CopyContent({ url }: { url: string }) {
  // A promise inside the item: Safari requires the clipboard call during the click itself.
  const copy = () => navigator.clipboard.write([new ClipboardItem({ "text/plain": textAt(url) })]);
  return <CopyWords copy={copy} what="the document" />;
}

async function textAt(url: string): Promise<Blob> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The content could not be read: ${response.status}.`);
  return new Blob([await response.text()], { type: "text/plain" });
}
