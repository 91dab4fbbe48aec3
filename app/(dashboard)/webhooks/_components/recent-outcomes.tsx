"use client";

import { useState } from "react";
import { usePoll } from "@/components/ui/use-poll";
import type { Outcomes } from "@/lib/resources/webhooks/forward/outcomes";
import { reasonText } from "./outcome";

const WORDS: Record<keyof Outcomes, string> = {
  verified: "verified",
  not_verified: "failed",
  delivered: "delivered",
  queued: "queued",
  retrying: "retrying",
  held: "waiting",
  skipped: "skipped",
  failed: "failed",
  canceled: "canceled",
};

/** Shown only if there are any. */
const OCCASIONAL: (keyof Outcomes)[] = ["queued", "retrying", "held", "skipped", "canceled"];

interface Props {
  endpointId: string;
  outcomes: Outcomes;
  shown: (keyof Outcomes)[];
}

/** Counts of recent events by outcome and reason, kept up to date. */
export function RecentOutcomes({ endpointId, outcomes, shown }: Props) {
  const [newest, setNewest] = useState(outcomes);
  usePoll(`/webhooks/${endpointId}/outcomes`, (text) => {
    if (text !== null) setNewest(JSON.parse(text));
  });
  return shown
    .filter((name) => newest[name].count > 0 || !OCCASIONAL.includes(name))
    .map((name) => `${newest[name].count} ${WORDS[name]}${reasonsOf(newest[name])}`)
    .join(", ");
}

/** " (signature mismatch)", with counts if there are several reasons. */
function reasonsOf({ reasons }: Outcomes[keyof Outcomes]): string {
  const entries = Object.entries(reasons);
  if (entries.length === 0) return "";
  const texts = entries.map(([reason, count]) =>
    entries.length === 1 ? reasonText(reason) : `${count} ${reasonText(reason)}`,
  );
  return ` (${texts.join(", ")})`;
}
