"use client";

import { useLayoutEffect, useState } from "react";
import { DifferenceLine, toneOf } from "./difference-line";
import type { Theirs } from "./form-error-message";
import { fieldNamed, setTyped } from "./typed-input";

const SHOWN_CHARACTERS = 200;

/**
 * What somebody else changed while a form was open. The form keeps what was typed, and saves it when
 * it is sent again; each field can take their value instead.
 */
export default function Conflict({
  formId,
  theirs: { tag, fields },
}: {
  formId: string;
  theirs: Theirs;
}) {
  const [labels, setLabels] = useState<Record<string, string>>({});
  const [taken, setTaken] = useState<string[]>([]);
  useLayoutEffect(() => {
    const named = fields.map(({ name }) => [
      name,
      fieldNamed(formId, name)?.labels?.[0]?.textContent,
    ]);
    setLabels(Object.fromEntries(named.filter(([, label]) => label)));
  }, [formId, fields]);
  const take = (name: string, value: string) => {
    const control = fieldNamed(formId, name);
    if (!control) return;
    setTyped(control, value);
    control.focus();
    setTaken([...taken, name]);
  };
  return (
    <div className="order-last col-span-full basis-full">
      <input type="hidden" name="seen" value={tag} />
      <ul className="my-2 grid gap-1.5">
        {fields.map(({ name, value, lines, isTakeable }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 wrap-anywhere">
              {labels[name] ?? name.replaceAll("_", " ")}{" "}
              {lines ? (
                "has changed: − is theirs, + is yours"
              ) : (
                <>
                  is now{" "}
                  <q className="whitespace-pre-wrap">
                    {value.slice(0, SHOWN_CHARACTERS)}
                    {value.length > SHOWN_CHARACTERS && "…"}
                  </q>
                </>
              )}
            </span>
            {isTakeable && !taken.includes(name) && (
              <button type="button" className="button" onClick={() => take(name, value)}>
                Take theirs
              </button>
            )}
            {lines && (
              <div className="code-text max-h-80 basis-full overflow-y-auto rounded-md border border-line bg-surface py-1">
                {lines.map((line) => (
                  <div key={`${line.before}:${line.after}`} className={`px-2 ${toneOf(line)}`}>
                    <DifferenceLine line={line} />
                  </div>
                ))}
              </div>
            )}
          </li>
        ))}
      </ul>
      <p className="text-muted">
        Save again to keep what you typed. Other fields stay as they are now.
      </p>
    </div>
  );
}
