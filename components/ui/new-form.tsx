import type { ReactNode } from "react";

/** The form for a new resource: a pane over the list, or above it on a narrow screen. */
export function NewForm({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label} className="new-form">
      <h2 className="mb-4 text-lead font-semibold max-xl:hidden">{label}</h2>
      <div className="max-w-[46rem]">{children}</div>
    </section>
  );
}
