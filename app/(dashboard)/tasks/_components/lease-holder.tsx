import { Confirm } from "@/components/ui/confirm";
import { Icon } from "@/components/ui/icon";
import { Time } from "@/components/ui/time";
import type { TaskLease } from "@/lib/resources/tasks/lease-contract";
import { releaseLease } from "../actions";

interface Props {
  lease: TaskLease | undefined;
  /** Hides the words "held by" if there is no space; screen readers still read them. */
  words?: "sr-only" | "sm:max-lg:sr-only";
  /** The list of the tasks that the holder holds, in a row. */
  hrefOf?(holder: string): string;
}

/** The holder of a task's lease, and the time left. */
export function LeaseHolder({ lease, words, hrefOf }: Props) {
  if (!lease) return null;
  const width = hrefOf ? "max-w-24" : "max-w-48";
  const name = <bdi className={`${width} min-w-0 truncate text-ink`}>{lease.holder}</bdi>;
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle text-small text-muted">
      <Icon name="lease" className="size-3.5" />
      <span className="inline-flex min-w-0 whitespace-pre">
        <span className={words}>held by </span>
        {hrefOf ? (
          <a
            href={hrefOf(lease.holder)}
            data-follow
            className="relative z-1 flex min-w-0 hover:underline"
          >
            {name}
          </a>
        ) : (
          name
        )}
        , <Time unix={lease.expires_at} format="left" className="tabular-nums" />
      </span>
    </span>
  );
}

/** The lease of a task, with the button that releases it. */
export function LeaseBar({ lease, canWrite }: { lease: TaskLease; canWrite: boolean }) {
  return (
    <section
      aria-label="Lease"
      className="mt-4 flex flex-wrap items-center justify-between gap-2 rounded-md border border-line bg-surface py-2 pr-2 pl-3"
    >
      <LeaseHolder lease={lease} />
      {canWrite && (
        <Confirm
          label="Release the lease"
          title="Release the lease?"
          consequence="Another worker can take the task immediately. The current holder is not notified: it may continue until it renews the lease or sees a larger fencing token."
          confirm="Release the lease"
          action={releaseLease}
          fields={{ id: lease.task_id, lease_id: lease.lease_id }}
          successMessage="Lease released"
          className="button"
        />
      )}
    </section>
  );
}
