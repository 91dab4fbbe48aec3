"use client";

import { type KeyboardEvent, useState } from "react";
import { Icon } from "@/components/ui/icon";

/**
 * The labels of a task: a press on one strikes it out or brings it back, Enter or a comma adds what
 * was typed. Without JavaScript what was typed is split at its commas when the form is sent.
 */
export function LabelsField({ labels }: { labels: string[] }) {
  const [added, setAdded] = useState<string[]>([]);
  const known = [...labels, ...added];

  const add = (event: KeyboardEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const label = input.value.trim();
    if ((event.key !== "Enter" && event.key !== ",") || label === "") return;
    event.preventDefault();
    if (!known.includes(label)) setAdded([...added, label]);
    input.value = "";
  };

  return (
    <fieldset className="sm:col-span-6">
      <legend className="mb-1 text-small text-muted">Labels</legend>
      <div className="flex min-h-8 flex-wrap items-center gap-1.5 rounded-md border border-line-strong bg-canvas p-1 focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
        {known.map((label) => (
          <label
            key={label}
            title="Press to remove it, or to bring it back"
            className="group relative flex max-w-full items-center gap-1 rounded border border-line bg-surface pr-1 pl-1.5 text-small hover:border-line-strong has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="checkbox"
              name="label"
              value={label}
              defaultChecked
              className="peer absolute inset-0 cursor-pointer opacity-0"
            />
            <span className="min-w-0 truncate peer-[:not(:checked)]:text-muted peer-[:not(:checked)]:line-through">
              {label}
            </span>
            <Icon
              name="close"
              className="size-3 text-muted group-hover:text-ink peer-[:not(:checked)]:rotate-45"
            />
          </label>
        ))}
        <input
          name="more_labels"
          aria-label="Labels to add"
          placeholder="Add a label"
          autoComplete="off"
          enterKeyHint="done"
          onKeyDown={add}
          className="min-w-24 flex-1 bg-transparent px-1 leading-6 outline-none placeholder:text-muted"
        />
      </div>
    </fieldset>
  );
}
