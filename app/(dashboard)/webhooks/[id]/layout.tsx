import type { ReactNode } from "react";
import { ListAndDetail } from "@/components/ui/list-and-detail";
import { RestoreFocus } from "../_components/restore-focus";

/** An endpoint's events, and beside them the open event or the endpoint itself. */
export default function EndpointLayout(props: { list: ReactNode; children: ReactNode }) {
  return (
    <ListAndDetail>
      <RestoreFocus>
        {props.list}
        {props.children}
      </RestoreFocus>
    </ListAndDetail>
  );
}
