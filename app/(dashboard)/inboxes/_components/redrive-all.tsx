import { Confirm } from "@/components/ui/confirm";
import { counted } from "@/lib/platform/counted";
import { redriveAllEvents } from "../actions";

/** Makes an inbox's dead events ready again, after a confirmation. */
export function RedriveAll({ id, dead }: { id: string; dead: number }) {
  const what = counted(dead, "dead event");
  return (
    <Confirm
      label={
        dead === 1 ? "Redrive the dead event" : `Redrive all ${dead.toLocaleString("en")} dead`
      }
      title={`Redrive ${what}?`}
      consequence="Workers receive them again, with a new count of deliveries. Redrive once you have fixed the cause."
      confirm={`Redrive ${what}`}
      action={redriveAllEvents}
      fields={{ id }}
      isHarmless
      successMessage="Ready again"
    />
  );
}
