import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";

/** Sends a test event, with a body that can be changed first. */
export function SendEvent({ id, action }: { id: string; action: FormAction }) {
  return (
    <details className="group relative">
      <summary className="button button-primary list-none [&::-webkit-details-marker]:hidden">
        Send a test event
      </summary>
      <div className="absolute right-0 z-10 mt-1 w-[min(24rem,calc(100vw-2rem))] rounded-md border border-line-strong/60 bg-canvas p-4 max-sm:right-auto max-sm:left-0">
        <ActionForm action={action} className="grid gap-3">
          <input type="hidden" name="id" value={id} />
          <Field label="Body">
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
          <Submit className="button justify-self-start">Send event</Submit>
        </ActionForm>
      </div>
    </details>
  );
}
