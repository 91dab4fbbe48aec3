import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import type { Message } from "@/lib/messages/contract";

interface Props {
  action: FormAction;
  formId: string;
  closeHref: string;
  message?: Message;
  tag?: string;
}

const METHODS = ["POST", "GET", "PUT", "PATCH", "DELETE"];

/** Schedules a message, or changes one that has not fired. */
export function MessageForm({ action, formId, closeHref, message, tag }: Props) {
  const headers = Object.entries(message?.headers ?? {})
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
  return (
    <ActionForm action={action} className="grid gap-3 sm:grid-cols-6">
      <input type="hidden" name="form" value={formId} />
      {message && <input type="hidden" name="id" value={message.id} />}
      {tag && <input type="hidden" name="tag" value={tag} />}
      <Field label="Method" className="sm:col-span-1">
        {(id) => (
          <select id={id} name="method" defaultValue={message?.method ?? "POST"} className="field">
            {METHODS.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="URL" className="sm:col-span-5">
        {(id) => (
          <input
            id={id}
            name="url"
            type="url"
            required
            defaultValue={message?.url}
            placeholder="https://"
            className="field"
          />
        )}
      </Field>
      {!message && (
        <Field label="Fires in" hint="0: at once" className="sm:col-span-2">
          {(id) => (
            <input
              id={id}
              name="delay"
              type="number"
              min={0}
              defaultValue={60}
              required
              className="field"
            />
          )}
        </Field>
      )}
      {message ? (
        <Field label="Fires" hint="UTC; empty: as it is" className="sm:col-span-3">
          {(id) => <input id={id} name="at" type="datetime-local" className="field" />}
        </Field>
      ) : (
        <Field label="Unit" className="sm:col-span-2">
          {(id) => (
            <select id={id} name="unit" defaultValue="60" className="field">
              <option value="1">seconds</option>
              <option value="60">minutes</option>
              <option value="3600">hours</option>
              <option value="86400">days</option>
            </select>
          )}
        </Field>
      )}
      <Field label="Headers" hint="Name: value" className="sm:col-span-6">
        {(id) => (
          <textarea
            id={id}
            name="headers"
            rows={2}
            defaultValue={headers}
            spellCheck={false}
            className="field font-mono"
          />
        )}
      </Field>
      {message?.body_encoding === "base64" ? (
        <p className="text-muted sm:col-span-6">Its body is binary and stays as it is.</p>
      ) : (
        <Field label="Body" className="sm:col-span-6">
          {(id) => (
            <textarea
              id={id}
              name="body"
              rows={4}
              defaultValue={message?.body ?? ""}
              spellCheck={false}
              className="field font-mono"
            />
          )}
        </Field>
      )}
      <div className="flex gap-2 sm:col-span-6">
        <Submit>{message ? "Save changes" : "Schedule message"}</Submit>
        <a href={closeHref} className="button">
          Cancel
        </a>
      </div>
    </ActionForm>
  );
}
