import { useState } from "react";
import { Command } from "@/components/ui/command";

interface Props {
  text: string;
  /** The name of the button for screen readers. */
  what: string;
}

/** A shell command with a button that copies it. */
export function CopyCommand({ text, what }: Props) {
  return (
    <div className="flex items-start gap-2 max-sm:flex-col">
      <div className="min-w-0 flex-1 max-sm:w-full">
        <Command>{text}</Command>
      </div>
      <CopyWords text={text} what={what} />
    </div>
  );
}

/** A button that copies `text` and reports the result. */
export function CopyWords({ text, what }: Props) {
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
      <span aria-live="polite">{label}</span>
      <span className="sr-only"> {what}</span>
    </button>
  );
}
