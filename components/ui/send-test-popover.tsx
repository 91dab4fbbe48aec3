"use client";

import { Popover } from "@base-ui/react/popover";
import { type ReactElement, useState } from "react";
import { ActionForm, Submit } from "./action-form";
import { Field } from "./field";
import type { TestRequest } from "./send-test";

/** Asks for the method and the body of a test; it opens as soon as it is there. */
export function SendTestPopover(props: TestRequest & { trigger: ReactElement }) {
  const { trigger, id, noun, methods, action } = props;
  const [open, setOpen] = useState(true);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-50">
          <Popover.Popup
            aria-label={`Test ${noun}`}
            className="popup max-h-(--available-height) w-[min(24rem,calc(100vw-2rem))] overflow-y-auto p-4 outline-none"
          >
            <ActionForm action={action} onDone={() => setOpen(false)} className="grid gap-3">
              <input type="hidden" name="id" value={id} />
              {methods && (
                <Field label="Method">
                  {(fieldId) => (
                    <select id={fieldId} name="method" defaultValue="POST" className="field">
                      {methods.map((method) => (
                        <option key={method}>{method}</option>
                      ))}
                    </select>
                  )}
                </Field>
              )}
              <Field label="Body" {...(methods && { hint: "a GET has none" })}>
                {(fieldId) => (
                  <textarea
                    id={fieldId}
                    name="body"
                    rows={4}
                    defaultValue={'{"type": "test"}'}
                    className="field font-mono"
                  />
                )}
              </Field>
              <Submit className="button justify-self-start" successMessage={`Test ${noun} sent`}>
                Send {noun}
              </Submit>
            </ActionForm>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
