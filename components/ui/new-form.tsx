import type { ReactNode } from "react";

/** The form for a new resource, above the list. */
export function NewForm({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="border-b border-line bg-surface px-4 py-4 sm:px-6">
      <div className="max-w-[46rem]">{children}</div>
    </section>
  );
}
