"use client";

import { useState } from "react";
import { RETRIED_MAX } from "@/app/(dashboard)/_shared/retried-max";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { Link } from "@/components/ui/link";
import { State } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { usePoll } from "@/components/ui/use-poll";
import type { StoredReplay } from "@/lib/resources/webhooks/replays/service";
import { cancelReplay, retryReplay } from "../actions";
import { filterText } from "./filter-text";

interface Props {
  endpointId: string;
  /** Newest first. */
  replays: StoredReplay[];
  canWrite: boolean;
}

export function BulkReplays({ endpointId, replays, canWrite }: Props) {
  const [known, setKnown] = useState({ rendered: replays, now: replays });
  // The page was refreshed, for example after a cancel.
  if (known.rendered !== replays) setKnown({ rendered: replays, now: replays });
  const isRunning = known.now.some(({ ended_at, pending }) => ended_at === null || pending > 0);
  usePoll(isRunning ? `/webhooks/${endpointId}/replays/live` : undefined, (text) => {
    if (text !== null) setKnown({ rendered: replays, now: JSON.parse(text).data });
  });
  if (known.now.length === 0) return <p className="text-muted">None yet.</p>;
  return (
    <ul aria-label="Replays" className="border-y border-line">
      {known.now.map((replay) => (
        <li key={replay.id} className="py-3 not-first:border-t not-first:border-line">
          <ReplayProgress replay={replay} />
          {canWrite && (replay.status === "running" || replay.stored_failed > 0) && (
            <ActionForm
              action={replay.status === "running" ? cancelReplay : retryReplay}
              className="mt-2"
              fields={{ id: endpointId, replay: replay.id }}
            >
              <Submit className="button">
                {replay.status === "running" ? "Cancel" : retryOf(replay.stored_failed)}
              </Submit>
            </ActionForm>
          )}
        </li>
      ))}
    </ul>
  );
}

function ReplayProgress({ replay }: { replay: StoredReplay }) {
  const { status, total, ended_at } = replay;
  const done = Math.max(replay.searched - replay.pending, 0);
  const isOver = ended_at !== null;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 text-small">
        {isOver ? (
          <EndState replay={replay} />
        ) : (
          <State word={status === "canceled" ? "canceling" : "running"} tone="waiting" />
        )}
        <span className="min-w-0 flex-1 basis-40 truncate font-mono" title={replay.url}>
          {replay.url}
        </span>
        <Time unix={replay.created_at} className="text-muted tabular-nums" />
      </p>
      <p className="mt-1 text-small text-muted wrap-anywhere">{filterText(replay)}</p>
      {!isOver && (
        <progress
          aria-label={`Replay to ${replay.url}`}
          value={done}
          max={Math.max(total, 1)}
          className="mt-2 block h-1.5 w-full appearance-none overflow-hidden rounded-full border-0 bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
        />
      )}
      <p className="mt-1 text-small tabular-nums">
        {countsOf(replay, done)}
        {replay.stored_failed > 0 && (
          <>
            {". "}
            <Link href={`/messages?replay=${replay.id}&status=failed`} className="link">
              Show the {shown(replay.stored_failed)} that failed
            </Link>
          </>
        )}
      </p>
    </>
  );
}

/** Green only if everything arrived. */
function EndState({ replay }: { replay: StoredReplay }) {
  const { status, failed, pending, skipped, gone, canceled } = replay;
  const unsent = skipped + gone + canceled;
  if (pending > 0) return <State word={`${status}, ${shown(pending)} under way`} tone="waiting" />;
  if (failed > 0) return <State word={`${status}, ${shown(failed)} failed`} tone="failed" />;
  if (status === "canceled") return <State word={status} tone="quiet" />;
  if (unsent > 0) return <State word={`${status}, ${shown(unsent)} not sent`} tone="waiting" />;
  return <State word={status} tone="ok" />;
}

/** For example "Retry 1,000 of 4,000 failed". */
function retryOf(failed: number): string {
  const part = failed > RETRIED_MAX ? `${shown(RETRIED_MAX)} of ` : "";
  return `Retry ${part}${shown(failed)} failed`;
}

function shown(count: number): string {
  return count.toLocaleString("en");
}

/** The number of events that the text search or the header filter excluded. */
function withoutMatch(replay: StoredReplay): number {
  if (replay.q === null && replay.header === null) return 0;
  const { searched, skipped, pending, delivered, failed, canceled } = replay;
  return searched - skipped - pending - delivered - failed - canceled;
}

/** For example "120 of 200 events done: 118 delivered, 2 failed, 10 under way". */
function countsOf(replay: StoredReplay, done: number): string {
  const counts: [number, string][] = [
    [replay.delivered, "delivered"],
    [replay.failed, "failed"],
    [replay.canceled, "canceled"],
    [replay.pending, "under way"],
    [replay.skipped, "too large to replay"],
    [replay.gone, "deleted before their turn"],
    [withoutMatch(replay), "without a match"],
  ];
  const parts = counts
    .filter(([count], index) => count > 0 || index === 0)
    .map(([count, word]) => `${shown(count)} ${word}`);
  return `${shown(done)} of ${shown(replay.total)} events done: ${parts.join(", ")}`;
}
