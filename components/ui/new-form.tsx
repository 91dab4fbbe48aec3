import type { ReactNode } from "react";

/** The place above a list where the form for a new one opens. */
export function NewForm({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="border-b border-line bg-surface px-4 py-4 sm:px-6">
      <div className="max-w-[46rem]">{children}</div>
    </section>
  );
}
