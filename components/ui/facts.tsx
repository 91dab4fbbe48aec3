import type { ReactNode } from "react";
import { Time } from "./time";

/** The facts about one object, as a definition list. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-2">{children}</dl>;
}

/** The first facts of a pane, under a line. */
export function PaneFacts({ children }: { children: ReactNode }) {
  return (
    <div className="mt-5 border-t border-line pt-4">
      <Facts>{children}</Facts>
    </div>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

/** When something happens; left out if it is null. */
export function TimeFact({ name, unix }: { name: string; unix: number | null }) {
  if (unix === null) return null;
  return (
    <Fact name={name}>
      <Time unix={unix} />
    </Fact>
  );
}

/** What people wrote about it, if they did. */
export function DescriptionFact({ children }: { children: string | null }) {
  if (!children) return null;
  return (
    <Fact name="Description">
      <span className="whitespace-pre-wrap">{children}</span>
    </Fact>
  );
}
