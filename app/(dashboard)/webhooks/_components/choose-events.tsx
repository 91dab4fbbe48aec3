import Form from "next/form";
import { getTimeZone } from "@/app/_shared/display-settings";
import { withQuery } from "@/app/_shared/query";
import { Link } from "@/components/ui/link";
import { zoneLabel } from "@/components/ui/relative-time";
import { localTime } from "@/lib/api/forms/local-time";
import { truncate } from "@/lib/platform/truncate";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import type { EventLine } from "@/lib/resources/webhooks/events/lines";
import { pathBelowCaptureUrl } from "./request-path";

interface Props {
  path: string;
  chosen: Record<Side, WebhookEvent>;
  newest: EventLine[];
}

type Side = "left" | "right";

const LABELS: Record<Side, string> = { left: "Left", right: "Right" };

/** Selects two events with a form that works without scripts. */
export async function ChooseEvents({ path, chosen, newest }: Props) {
  const zone = await getTimeZone();
  const swapped = withQuery(path, { left: chosen.right.id, right: chosen.left.id });
  return (
    <Form
      action={path}
      prefetch={false}
      className="flex flex-wrap items-end gap-3 border-b border-line px-4 py-4 sm:px-6"
    >
      {(["left", "right"] as const).map((side) => (
        <label key={side} className="min-w-0 flex-1 basis-60 text-small text-muted">
          {LABELS[side]}
          <select
            // Re-rendered when the URL changes, also after a swap.
            key={chosen[side].id}
            name={side}
            defaultValue={chosen[side].id}
            className="field mt-1 font-mono text-small"
          >
            {optionsOf(chosen[side], newest, zone).map(({ id, words }) => (
              <option key={id} value={id}>
                {words}
              </option>
            ))}
          </select>
        </label>
      ))}
      <button type="submit" className="button">
        Compare
      </button>
      <Link href={swapped} className="button">
        Swap
      </Link>
    </Form>
  );
}

/** The newest events, and the chosen one if it is older. */
function optionsOf(
  chosen: WebhookEvent,
  newest: EventLine[],
  zone: string,
): { id: string; words: string }[] {
  const options = newest.map((line) => ({
    id: line.id,
    words: wordsOf(line, zone, line.preview),
  }));
  if (options.some(({ id }) => id === chosen.id)) return options;
  return [...options, { id: chosen.id, words: wordsOf(chosen, zone, chosen.id) }];
}

function wordsOf(event: EventLine | WebhookEvent, zone: string, more: string): string {
  const at = event.received_at;
  const time = `${localTime(at, zone).replace("T", " ")} ${zoneLabel(at, zone)}`;
  const words = `${time} ${event.method} ${pathBelowCaptureUrl(event)} ${more}`;
  return truncate(words, 100);
}
