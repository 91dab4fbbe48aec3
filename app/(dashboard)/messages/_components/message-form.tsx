import { Field } from "@/components/ui/field";
import { InstantField } from "@/components/ui/instant-field";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
import { TextArea } from "@/components/ui/text-area";
import { type Message, methods } from "@/lib/resources/messages/contract";

interface Props extends ResourceFormProps {
  /** The message to edit. */
  message?: Message;
}

/** Schedules a message, or changes one in place. */
export function MessageForm({ message, ...form }: Props) {
  const lines = Object.entries(message?.headers ?? {}).map((header) => header.join(": "));
  const shown = {
    method: message?.method ?? "POST",
    url: message?.url ?? "",
    headers: lines.join("\n"),
    // A binary body cannot be edited as text; an unchanged field keeps it.
    body: message?.body_encoding === "utf8" ? (message.body ?? "") : "",
  };
  return (
    <ResourceForm
      {...form}
      id={message?.id}
      shown={shown}
      create="Schedule message"
      className="grid gap-3 sm:grid-cols-6"
    >
      <Field label="Method" className="sm:col-span-2">
        {(id) => (
          <select id={id} name="method" defaultValue={shown.method} className="field">
            {methods.map((method) => (
              <option key={method}>{method}</option>
            ))}
          </select>
        )}
      </Field>
      <Field label="URL" className="sm:col-span-4">
        {(id) => (
          <input
            id={id}
            name="url"
            type="url"
            required
            defaultValue={shown.url}
            placeholder="https://example.com/"
            className="field"
          />
        )}
      </Field>
      {message ? (
        <InstantField
          label="Send at"
          name="scheduled_at"
          unix={message.scheduled_at}
          withSeconds
          required
          className="sm:col-span-6"
        />
      ) : (
        <>
          <Field label="Send in" className="sm:col-span-2">
            {(id) => (
              <input id={id} name="delay" inputMode="numeric" defaultValue="0" className="field" />
            )}
          </Field>
          <Field label="Unit" className="sm:col-span-2">
            {(id) => (
              <select id={id} name="unit" defaultValue="min" className="field">
                <option value="s">seconds</option>
                <option value="min">minutes</option>
                <option value="h">hours</option>
                <option value="d">days</option>
              </select>
            )}
          </Field>
          <InstantField
            label="Or send at"
            name="scheduled_at"
            withSeconds
            className="sm:col-span-2"
          />
        </>
      )}
      <Field label="Headers" hint="one per line, as name: value" className="sm:col-span-6">
        {(id) => (
          <TextArea
            id={id}
            name="headers"
            rows={2}
            defaultValue={shown.headers}
            className="field font-mono"
          />
        )}
      </Field>
      <Field
        label="Body"
        hint={message?.body_encoding === "base64" ? "binary; type to replace it" : undefined}
        className="sm:col-span-6"
      >
        {(id) => (
          <TextArea
            id={id}
            name="body"
            rows={5}
            defaultValue={shown.body}
            className="field font-mono"
          />
        )}
      </Field>
    </ResourceForm>
  );
}
