"use client";

import type { ReactNode } from "react";
import { ShowWaiting } from "./show-waiting";
import { changeOf, useBuffered } from "./use-buffered";
import { useTitleCount } from "./use-title-count";

interface View {
  /** The IDs of all rows or cards in the content. */
  ids: string[];
  content: ReactNode;
}

/** A view of several lists. While the person reads, changes wait behind a button. */
export function BufferedView({ view }: { view: View }) {
  const [shown, showLatest] = useBuffered(view, (kept) => kept);
  const { added, removed } = changeOf(shown.ids, view.ids);
  useTitleCount(view.ids, added > 0);
  return (
    <div>
      <ShowWaiting added={added} removed={removed} isChanged={shown !== view} onShow={showLatest} />
      {shown.content}
    </div>
  );
}
