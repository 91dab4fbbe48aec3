import type { ReactNode } from "react";
import { formFields } from "@/components/ui/form-fields";
import { InstantField } from "@/components/ui/instant-field";
import { ResourceForm } from "@/components/ui/resource-form";
import { type Schedule, ScheduleCreate } from "@/lib/resources/schedules/contract";
import { TIMEZONE_DEFAULT } from "@/lib/resources/schedules/timing";
import { createSchedule, updateSchedule } from "../actions";
import { shownSchedule } from "./shown-schedule";
import { TimesPreview } from "./times-preview";

interface Props {
  closeHref: string;
  schedule?: Schedule;
  /** The time zone of a new one. */
  zone?: string;
}

/** Creates a schedule, or changes one in place. The fields of the chosen target are shown. */
export function ScheduleForm({ schedule, zone, closeHref }: Props) {
  const field = formFields(ScheduleCreate, schedule && shownSchedule(schedule));
  const half = { className: "sm:col-span-3" };
  const whole = { className: "sm:col-span-6" };
  const text = { ...whole, rows: 3, look: "field font-mono" };
  return (
    <ResourceForm
      action={schedule ? updateSchedule : createSchedule}
      closeHref={closeHref}
      resource={schedule}
      create="Create schedule"
      className="group grid gap-3 sm:grid-cols-6"
    >
      {field("name", whole)}
      {field("cron", {
        ...half,
        hint: "min hour day month weekday",
        placeholder: "0 9 * * MON-FRI",
        look: "field font-mono",
      })}
      {field("timezone", {
        ...half,
        label: "Time zone",
        placeholder: "Europe/Berlin",
        preset: zone ?? TIMEZONE_DEFAULT,
      })}
      <TimesPreview />
      {field("every_seconds", {
        ...half,
        label: "Or every",
        hint: "seconds",
        placeholder: "3600",
      })}
      {field("catch_up", {
        ...half,
        label: "Missed times",
        options: [
          ["skip", "Skip them"],
          ["once", "Run once to catch up"],
        ],
      })}
      <InstantField
        label="Starts at"
        name="starts_at"
        unix={schedule?.starts_at}
        withSeconds
        {...half}
      />
      <InstantField label="Ends at" name="ends_at" unix={schedule?.ends_at} withSeconds {...half} />
      {field("kind", {
        ...whole,
        label: "Creates",
        preset: "task",
        options: [
          ["task", "A task"],
          ["message", "A message"],
          ["inbox_event", "An inbox event"],
        ],
      })}
      <Part className="group-has-[option[value=task]:checked]:grid">
        {field("target.task.name", { ...whole, label: "Task name" })}
        {field("target.task.description", { ...text, label: "Description" })}
      </Part>
      <Part className="group-has-[option[value=message]:checked]:grid">
        {field("target.message.method", {
          className: "sm:col-span-2",
          label: "Method",
          preset: "POST",
        })}
        {field("target.message.url", {
          className: "sm:col-span-4",
          label: "URL",
          type: "url",
          placeholder: "https://example.com/",
        })}
        {field("target.message.body", { ...text, label: "Message body" })}
      </Part>
      <Part className="group-has-[option[value=inbox\_event]:checked]:grid">
        {field("target.inbox_event.inbox_id", {
          ...whole,
          label: "Inbox ID",
          placeholder: "inbox_…",
        })}
        {field("target.inbox_event.body", { ...text, label: "Event body" })}
      </Part>
    </ResourceForm>
  );
}

/** The fields of one kind of target, hidden until it is chosen. */
function Part({ className, children }: { className: string; children: ReactNode }) {
  return <div className={`hidden gap-3 sm:col-span-6 sm:grid-cols-6 ${className}`}>{children}</div>;
}
