import { Icon } from "@/components/ui/icon";

/** The sign of a task that waits for another. */
export function BlockedMark() {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-small text-muted">
      <Icon name="blocked" className="size-3.5" />
      Blocked
    </span>
  );
}
