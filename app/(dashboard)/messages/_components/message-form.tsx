import { InputField, SelectField } from "@/components/ui/field";
import { InstantField } from "@/components/ui/instant-field";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
import { TextAreaField } from "@/components/ui/text-area";
import { sentenceOf } from "@/lib/platform/http/schema-fields";
import { type Message, MessageCreate, methods } from "@/lib/resources/messages/contract";

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
      <SelectField
        label="Method"
        className="sm:col-span-2"
        name="method"
        defaultValue={shown.method}
      >
        {methods.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </SelectField>
      <InputField
        label="URL"
        className="sm:col-span-4"
        name="url"
        title={sentenceOf(MessageCreate, "url")}
        type="url"
        required
        defaultValue={shown.url}
        placeholder="https://example.com/"
      />
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
          <InputField
            label="Send in"
            className="sm:col-span-2"
            name="delay"
            inputMode="numeric"
            defaultValue="0"
          />
          <SelectField label="Unit" className="sm:col-span-2" name="unit" defaultValue="min">
            <option value="s">seconds</option>
            <option value="min">minutes</option>
            <option value="h">hours</option>
            <option value="d">days</option>
          </SelectField>
          <InstantField
            label="Or send at"
            name="scheduled_at"
            withSeconds
            className="sm:col-span-2"
          />
        </>
      )}
      <TextAreaField
        label="Headers"
        hint="one per line, as name: value"
        className="sm:col-span-6"
        name="headers"
        rows={2}
        defaultValue={shown.headers}
        look="field font-mono"
      />
      <TextAreaField
        label="Body"
        hint={message?.body_encoding === "base64" ? "binary; type to replace it" : undefined}
        className="sm:col-span-6"
        name="body"
        rows={5}
        defaultValue={shown.body}
        look="field font-mono"
      />
    </ResourceForm>
  );
}
