"use client";

import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";

interface Props {
  id: string;
  methods: string[];
  action: FormAction;
}

/**
 * Sends a test request to a capture URL, with a method and body that can be changed first. A client's
 * component, as IDs that the server makes would be made again for the event that opens beside it.
 */
export function SendTest({ id, methods, action }: Props) {
  return (
    <details className="relative">
      <summary className="button button-primary list-none [&::-webkit-details-marker]:hidden">
        Send a test request
      </summary>
      <div className="absolute right-0 z-10 mt-1 w-[min(24rem,calc(100vw-2rem))] rounded-md border border-line-strong/60 bg-canvas p-4 max-sm:right-auto max-sm:left-0">
        <ActionForm action={action} className="grid gap-3">
          <input type="hidden" name="id" value={id} />
          <Field label="Method">
            {(fieldId) => (
              <select id={fieldId} name="method" defaultValue="POST" className="field">
                {methods.map((method) => (
                  <option key={method}>{method}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Body" hint="a GET has none">
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
          <Submit className="button justify-self-start">Send request</Submit>
        </ActionForm>
      </div>
    </details>
  );
}
