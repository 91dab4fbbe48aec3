import type { ReactNode } from "react";

/** A list and, beside it on a wide screen, what is open of it; on a narrow one that alone. */
export function Split({ list, children }: { list: ReactNode; children: ReactNode }) {
  return (
    <div className="lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(24rem,46%)]">
      <div className="max-lg:hidden">{list}</div>
      <aside className="lg:sticky lg:top-0 lg:h-dvh lg:overflow-y-auto lg:border-l lg:border-line">
        {children}
      </aside>
    </div>
  );
}
