import type { ReactNode } from "react";

/** What stands beside a list on wide screens, and scrolls by itself there. */
export function Pane(props: { label: string; "data-event"?: boolean; children: ReactNode }) {
  return (
    <aside
      aria-label={props.label}
      data-event={props["data-event"]}
      className="min-w-0 lg:sticky lg:top-0 lg:max-h-dvh lg:overflow-y-auto lg:border-l lg:border-line"
    >
      {props.children}
    </aside>
  );
}
