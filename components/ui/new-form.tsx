import type { ReactNode } from "react";

/** The form for a new resource, above its list; with `isPane` over it, where there is space. */
export function NewForm(props: { label: string; isPane?: boolean; children: ReactNode }) {
  const { label, isPane = false, children } = props;
  return (
    <section aria-label={label} className={isPane ? "new-form new-form-pane" : "new-form"}>
      {isPane && <h2 className="mb-4 text-lead font-semibold max-xl:hidden">{label}</h2>}
      <div className="max-w-[46rem]">{children}</div>
    </section>
  );
}
