"use client";

import { useId, useState } from "react";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";
import { usePoll } from "@/components/ui/use-poll";
import type { List } from "@/lib/platform/lists/list";
import type { EventReplay } from "@/lib/resources/webhooks/replays/contract";
import { type Replayed, replayEvent } from "../actions";
import { ReplayHistory } from "./replay-history";

interface Props {
  endpointId: string;
  eventId: string;
  /** The idempotency key of the form. */
  formId: string;
  /** The replays when the page was rendered. */
  history: List<EventReplay>;
  /** URLs to which the endpoint's events were replayed, the last one first. */
  targets: string[];
}

/** Replays a captured request, and shows its replays with their responses. */
export default function ReplaySection(props: Props) {
  const { endpointId, eventId, formId, history, targets } = props;
  return (
    <ActionForm
      action={replayEvent}
      className="flex flex-wrap items-end gap-x-2 gap-y-3"
      formId={formId}
      fields={{ id: endpointId, event: eventId }}
    >
      {(replayed) => (
        <>
          <TargetField label="Send it again, byte for byte, to" targets={targets} />
          <Submit className="button">Replay</Submit>
          <label className="flex basis-full items-baseline gap-2 text-small text-muted">
            <input type="checkbox" name="retry" />
            <span>Retry if it fails</span>
          </label>
          <div className="min-w-0 basis-full">
            <LiveHistory
              key={replayed?.id}
              first={replayed?.history ?? history}
              asked={replayed ?? undefined}
              href={`/webhooks/${endpointId}/events/${eventId}/replays`}
            />
          </div>
        </>
      )}
    </ActionForm>
  );
}

/** The target of a replay, with earlier targets to choose from. */
export function TargetField({ label, targets }: { label: string; targets: string[] }) {
  const listId = useId();
  return (
    <Field label={label} className="min-w-0 flex-1 basis-60">
      {(fieldId) => (
        <>
          <input
            id={fieldId}
            name="url"
            type="url"
            required
            defaultValue={targets[0]}
            list={listId}
            autoComplete="off"
            placeholder="https://example.com/hooks"
            className="field"
          />
          <datalist id={listId}>
            {targets.map((target) => (
              <option key={target} value={target} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** The history, kept up to date until nothing is under way. */
function LiveHistory(props: {
  first: List<EventReplay>;
  asked: Replayed | undefined;
  href: string;
}) {
  const { first, asked, href } = props;
  const [history, setHistory] = useState(first);
  const isMoving = history.data.some(isUnderWay);
  usePoll(isMoving ? href : undefined, (text) => {
    if (text !== null) setHistory(JSON.parse(text));
  });
  const mine = history.data.find(({ id }) => id === asked?.id);
  return (
    <>
      <p role="status" aria-label="Replay" className="sr-only">
        {asked && `Replayed to ${asked.url}`}
        {mine && `: ${outcomeOf(mine)}`}
      </p>
      <ReplayHistory history={history} />
    </>
  );
}

function isUnderWay({ status, next_attempt_at }: EventReplay): boolean {
  return status === "scheduled" || status === "delivering" || next_attempt_at !== null;
}

/** For example "delivered, response 202". */
function outcomeOf({ status, response_status, error }: EventReplay): string {
  if (response_status !== null) return `${status}, response ${response_status}`;
  return error === null ? status : `${status}, ${error}`;
}
