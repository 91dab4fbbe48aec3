"use client";

import { useId, useRef, useState } from "react";
import { ActionForm, type FormAction, Submit } from "./action-form";
import { SelectField } from "./field";
import { TextAreaField } from "./text-area";

interface Props {
  /** The ID of the endpoint or inbox. */
  id: string;
  /** For the form's `FormId`. */
  formId: string;
  /** The word for what is sent, such as "request". */
  noun: string;
  /** The methods to choose from, if there is a choice. */
  methods?: string[];
  action: FormAction;
}

/** A button that sends a test request, whose method and body can be edited first. */
export function SendTest({ id, formId, noun, methods, action }: Props) {
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const popoverId = useId();
  const toggled = (state: string) => {
    setOpen(state === "open");
    // The event comes after the popover is shown, by when a field may have been focused.
    if (state !== "open" || popover.current?.contains(document.activeElement)) return;
    popover.current?.querySelector<HTMLElement>("select, textarea")?.focus();
  };
  return (
    <>
      <button
        type="button"
        popoverTarget={popoverId}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="button button-primary"
      >
        <span>
          Send a test<span className="max-sm:sr-only"> {noun}</span>
        </span>
      </button>
      <div
        ref={popover}
        id={popoverId}
        popover="auto"
        role="dialog"
        aria-label={`Test ${noun}`}
        onToggle={({ newState }) => toggled(newState)}
        className="popup m-auto w-[min(24rem,calc(100vw-2rem))] overflow-y-auto p-4 supports-[position-area:bottom]:inset-auto supports-[position-area:bottom]:my-1 supports-[position-area:bottom]:[position-area:block-end_span-inline-start] supports-[position-area:bottom]:[position-try-fallbacks:flip-inline,flip-block]"
      >
        <ActionForm
          action={action}
          formId={formId}
          fields={{ id }}
          onDone={() => popover.current?.hidePopover()}
          className="grid gap-3"
        >
          {methods && (
            <SelectField label="Method" name="method" defaultValue="POST" options={methods} />
          )}
          <TextAreaField
            label="Body"
            hint={methods && "not sent with GET"}
            name="body"
            rows={4}
            defaultValue={'{"type": "test"}'}
            look="field font-mono"
          />
          <Submit className="button justify-self-start" successMessage={`Test ${noun} sent`}>
            Send {noun}
          </Submit>
        </ActionForm>
      </div>
    </>
  );
}
