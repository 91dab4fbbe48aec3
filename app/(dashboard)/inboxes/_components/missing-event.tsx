import { CloseLink } from "@/components/ui/close-link";

/** Shown instead of an event that no longer exists. */
export function MissingEvent({ closeHref }: { closeHref: string }) {
  return (
    <article aria-label="Event" className="p-4 sm:p-6">
      <div className="flex items-start justify-between gap-3">
        <h2 className="text-lead font-semibold">This event is gone</h2>
        <CloseLink href={closeHref} />
      </div>
      <p className="mt-2 text-muted">
        A worker has acknowledged it, it has expired, or it was removed. The list shows what is
        left.
      </p>
    </article>
  );
}
