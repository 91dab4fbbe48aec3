import type { ReactNode } from "react";
import { Command } from "./command";
import { CopyButton } from "./copy";

interface Props {
  title: string;
  text: string;
  command: string;
  /** A button that does what the command does. */
  action?: ReactNode;
  /** The documentation page. */
  docs?: string;
}

/** Fills an empty list with the call that creates the first item, and a button for it. */
export function EmptyState({ title, text, command, action, docs }: Props) {
  return (
    <div className="mx-auto max-w-[42rem] px-4 py-14 sm:px-6">
      <h2 className="text-lead font-semibold">{title}</h2>
      <p className="mt-1 mb-4 text-muted">{text}</p>
      <Command>{command}</Command>
      <div className="mt-3 flex flex-wrap gap-2">
        {action}
        <CopyButton text={command}>Copy command</CopyButton>
        {docs && (
          <a href={docs} className="button">
            Documentation
          </a>
        )}
      </div>
    </div>
  );
}
