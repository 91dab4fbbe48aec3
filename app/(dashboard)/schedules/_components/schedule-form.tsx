import type { ReactNode } from "react";
import { Field } from "@/components/ui/field";
import { InstantField } from "@/components/ui/instant-field";
import { ResourceForm, type ResourceFormProps } from "@/components/ui/resource-form";
import { TextArea } from "@/components/ui/text-area";
import { sentenceOf } from "@/lib/platform/http/schema-fields";
import { methods } from "@/lib/resources/messages/contract";
import { type Schedule, ScheduleCreate, ScheduleTarget } from "@/lib/resources/schedules/contract";
import { TIMEZONE_DEFAULT } from "@/lib/resources/schedules/timing";

interface Props extends ResourceFormProps {
  /** The schedule to edit. */
  schedule?: Schedule;
}

/** Creates a schedule, or changes one in place. The fields of the chosen target are shown. */
export function ScheduleForm({ schedule, ...form }: Props) {
  const {
    task,
    message,
    inbox_event: event,
  } = ScheduleTarget.safeParse(schedule?.target).data ?? {};
  const shown = {
    name: inOneLine(schedule?.name),
    cron: schedule?.cron ?? "",
    timezone: schedule?.timezone ?? TIMEZONE_DEFAULT,
    every_seconds: String(schedule?.every_seconds ?? ""),
    catch_up: schedule?.catch_up ?? "skip",
    kind: message ? "message" : event ? "inbox_event" : "task",
    "target.task.name": inOneLine(task?.name),
    "target.task.description": task?.description ?? "",
    "target.message.url": message?.url ?? "",
    "target.message.method": message?.method ?? "POST",
    "target.message.body": message?.body ?? "",
    "target.inbox_event.inbox_id": event?.inbox_id ?? "",
    "target.inbox_event.body": event?.body ?? "",
  };
  type Name = keyof typeof shown;
  const input =
    (name: Name, props: object = {}) =>
    (id: string) => (
      <input
        id={id}
        name={name}
        title={sentenceOf(ScheduleCreate, name)}
        defaultValue={shown[name]}
        className="field"
        {...props}
      />
    );
  const area = (name: Name) => (id: string) => (
    <TextArea id={id} name={name} rows={3} defaultValue={shown[name]} className="field font-mono" />
  );
  const choice = (name: Name, options: readonly (readonly [string, string])[]) => (id: string) => (
    <select
      id={id}
      name={name}
      title={sentenceOf(ScheduleCreate, name)}
      defaultValue={shown[name]}
      className="field"
    >
      {options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  );
  return (
    <ResourceForm
      {...form}
      id={schedule?.id}
      shown={shown}
      create="Create schedule"
      className="group grid gap-3 sm:grid-cols-6"
    >
      <Field label="Name" className="sm:col-span-6">
        {input("name")}
      </Field>
      <Field label="Cron" hint="min hour day month weekday" className="sm:col-span-3">
        {input("cron", { placeholder: "0 9 * * MON-FRI", className: "field font-mono" })}
      </Field>
      <Field label="Time zone" className="sm:col-span-3">
        {input("timezone", { placeholder: "Europe/Berlin" })}
      </Field>
      <Field label="Or every" hint="seconds" className="sm:col-span-3">
        {input("every_seconds", { inputMode: "numeric", placeholder: "3600" })}
      </Field>
      <Field label="Missed times" className="sm:col-span-3">
        {choice("catch_up", [
          ["skip", "Skip them"],
          ["once", "Run once for all"],
        ])}
      </Field>
      <InstantField
        label="Starts at"
        name="starts_at"
        unix={schedule?.starts_at}
        withSeconds
        className="sm:col-span-3"
      />
      <InstantField
        label="Ends at"
        name="ends_at"
        unix={schedule?.ends_at}
        withSeconds
        className="sm:col-span-3"
      />
      <Field label="Creates" className="sm:col-span-6">
        {choice("kind", [
          ["task", "A task"],
          ["message", "A message"],
          ["inbox_event", "An inbox event"],
        ])}
      </Field>
      <Part className="group-has-[option[value=task]:checked]:grid">
        <Field label="Task name" className="sm:col-span-6">
          {input("target.task.name")}
        </Field>
        <Field label="Description" className="sm:col-span-6">
          {area("target.task.description")}
        </Field>
      </Part>
      <Part className="group-has-[option[value=message]:checked]:grid">
        <Field label="Method" className="sm:col-span-2">
          {choice(
            "target.message.method",
            methods.map((method) => [method, method] as const),
          )}
        </Field>
        <Field label="URL" className="sm:col-span-4">
          {input("target.message.url", { type: "url", placeholder: "https://example.com/" })}
        </Field>
        <Field label="Message body" className="sm:col-span-6">
          {area("target.message.body")}
        </Field>
      </Part>
      <Part className="group-has-[option[value=inbox\_event]:checked]:grid">
        <Field label="Inbox ID" className="sm:col-span-6">
          {input("target.inbox_event.inbox_id", { placeholder: "inbox_…" })}
        </Field>
        <Field label="Event body" className="sm:col-span-6">
          {area("target.inbox_event.body")}
        </Field>
      </Part>
    </ResourceForm>
  );
}

/** The fields of one kind of target, hidden until it is chosen. */
function Part({ className, children }: { className: string; children: ReactNode }) {
  return <div className={`hidden gap-3 sm:col-span-6 sm:grid-cols-6 ${className}`}>{children}</div>;
}

/** The text as an `<input>` shows it. */
function inOneLine(text: string | null | undefined): string {
  return text?.replaceAll(/[\r\n]/g, "") ?? "";
}
