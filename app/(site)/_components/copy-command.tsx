import { useState } from "react";
import { Command } from "@/components/ui/command";

/** A shell command with a button that copies it. */
export function CopyCommand({ text, what }: { text: string; what: string }) {
  return (
    <div className="flex items-start gap-2 max-sm:flex-col">
      <div className="min-w-0 flex-1 max-sm:w-full">
        <Command>{text}</Command>
      </div>
      <CopyWords copy={() => navigator.clipboard.writeText(text)} what={what} />
    </div>
  );
}

interface Props {
  copy(): Promise<void>;
  /** The name of what is copied, for screen readers. */
  what: string;
}

/** A button that copies and reports the result. */
export function CopyWords({ copy, what }: Props) {
  const [label, setLabel] = useState("Copy");
  const press = async () => {
    try {
      await copy();
      setLabel("Copied");
    } catch {
      setLabel("Could not copy");
    }
    setTimeout(setLabel, 2000, "Copy");
  };
  return (
    <button type="button" onClick={press} className="button">
      <span aria-live="polite">{label}</span>
      <span className="sr-only"> {what}</span>
    </button>
  );
}
