import { InputField, SelectField } from "@/components/ui/field";
import { formFields } from "@/components/ui/form-fields";
import { InstantField } from "@/components/ui/instant-field";
import { ResourceForm } from "@/components/ui/resource-form";
import { type Message, MessageCreate } from "@/lib/resources/messages/contract";
import { createMessage, updateMessage } from "../actions";
import { isBinary, shownMessage } from "./shown-message";

/** Schedules a message, or changes one in place. */
export function MessageForm(props: { message?: Message; closeHref: string }) {
  const { message, closeHref } = props;
  const field = formFields(MessageCreate, message && shownMessage(message));
  return (
    <ResourceForm
      action={message ? updateMessage : createMessage}
      closeHref={closeHref}
      resource={message}
      create="Schedule message"
      className="grid gap-3 sm:grid-cols-6"
    >
      {field("method", { className: "sm:col-span-2", preset: "POST" })}
      {field("url", {
        className: "sm:col-span-4",
        type: "url",
        placeholder: "https://example.com/",
      })}
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
          <SelectField
            label="Unit"
            className="sm:col-span-2"
            name="unit"
            defaultValue="min"
            options={UNITS}
          />
          <InstantField
            label="Or send at"
            name="scheduled_at"
            withSeconds
            className="sm:col-span-2"
          />
        </>
      )}
      {field("headers", {
        hint: "one per line, as name: value",
        className: "sm:col-span-6",
        rows: 2,
        look: "field font-mono",
      })}
      {field("body", {
        hint: message && isBinary(message) ? "binary; type to replace it" : undefined,
        className: "sm:col-span-6",
        rows: 5,
        look: "field font-mono",
      })}
    </ResourceForm>
  );
}

const UNITS = [
  ["s", "seconds"],
  ["min", "minutes"],
  ["h", "hours"],
  ["d", "days"],
] as const;
