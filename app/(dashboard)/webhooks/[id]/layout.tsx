import type { ReactNode } from "react";
import { RestoreFocus } from "../_components/restore-focus";

/**
 * An endpoint: its events, and beside them what was chosen. On narrow screens an open event stands
 * alone. The list is a page of its own, so that it stays as it is when an event is opened.
 */
export default function EndpointLayout(props: { children: ReactNode; pane: ReactNode }) {
  return (
    <div className="group/endpoint lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(24rem,44%)]">
      <RestoreFocus>
        {props.children}
        {props.pane}
      </RestoreFocus>
    </div>
  );
}
