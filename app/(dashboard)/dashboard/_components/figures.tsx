import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Time } from "@/components/ui/time";
import type { Figures as Counted } from "@/lib/resources/overview/figures";
import type { Figure } from "@/lib/resources/overview/hours";
import type { InboxSummary } from "@/lib/resources/overview/inboxes";
import { HourChart } from "./hour-chart";

interface Props {
  figures: Counted;
  inboxes: Pick<InboxSummary, "waiting" | "received" | "oldest">;
}

/** Four figures with charts of the last 24 hours. */
export function Figures({ figures, inboxes }: Props) {
  const { since, captured, delivered, failed } = figures;
  const { waiting, received, oldest } = inboxes;
  const hasFailed = failed.total > 0;
  return (
    <dl className="grid grid-cols-2 border-b border-line xl:grid-cols-4">
      <One name="Captured" href="/webhooks" figure={captured} since={since} colour={QUIET}>
        requests, 24 h
      </One>
      <One
        name="Delivered"
        href="/messages?status=delivered"
        figure={delivered}
        since={since}
        colour="text-ok"
      >
        messages, 24 h
      </One>
      <One
        name="Failed attempts"
        href="/messages?status=failed"
        figure={failed}
        since={since}
        colour="text-failed"
        {...(hasFailed && { emphasis: "text-failed" })}
      >
        24 h
      </One>
      <One
        name="Waiting in inboxes"
        href="/inboxes"
        figure={{ ...received, total: waiting }}
        charted="Received by inboxes"
        since={since}
        colour={QUIET}
      >
        {oldest ? (
          <Link
            href={`/inboxes/${oldest.inbox_id}`}
            title={`The oldest is in ${oldest.name}`}
            className="relative z-1 leading-6 underline decoration-line-strong/60 underline-offset-2 hover:text-ink"
          >
            oldest <Time unix={oldest.since} className="underline decoration-line-strong/60" />
          </Link>
        ) : (
          "now"
        )}
      </One>
    </dl>
  );
}

const QUIET = "text-line-strong";

interface OneProps {
  name: string;
  href: string;
  figure: Figure;
  since: number;
  colour: string;
  /** The label of the chart, if it differs from the number's. */
  charted?: string;
  /** The colour of the number. */
  emphasis?: string;
  children: ReactNode;
}

function One(props: OneProps) {
  const { name, href, figure, since, colour, charted = name, emphasis = "", children } = props;
  return (
    <div className="relative min-w-0 border-line px-4 py-4 hover:bg-surface even:border-l sm:px-6 max-xl:nth-[n+3]:border-t xl:not-first:border-l">
      <dt className="flex flex-wrap gap-x-2 text-small whitespace-nowrap text-muted">
        <Link href={href} className="row-link leading-6 text-ink">
          {name}
        </Link>
        <span className="max-sm:basis-full">{children}</span>
      </dt>
      <dd>
        <span className={`text-display font-semibold tracking-tight tabular-nums ${emphasis}`}>
          {figure.total.toLocaleString("en")}
        </span>
        <HourChart name={charted} since={since} values={figure.hours} colour={colour} />
      </dd>
    </div>
  );
}
