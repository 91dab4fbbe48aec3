import Link from "next/link";
import type { Figures as AllFigures, Figure } from "@/lib/overview/figures";
import { Sparkline } from "./sparkline";

/** Four figures with their last 24 hours. */
export function Figures({ figures }: { figures: AllFigures }) {
  const { captured, delivered, failed, waiting } = figures;
  return (
    <dl className="grid grid-cols-2 border-b border-line lg:grid-cols-4">
      <One name="Captured" href="/webhooks" figure={captured} />
      <One name="Delivered" href="/messages?status=delivered" figure={delivered} />
      <One name="Failed attempts" href="/messages?status=failed" figure={failed} bad />
      <One name="Waiting in inboxes" href="/inboxes" figure={waiting} now />
    </dl>
  );
}

interface Props {
  name: string;
  href: string;
  figure: Figure;
  /** More than none is worth a colour. */
  bad?: boolean;
  /** It is a state, not a sum of the day. */
  now?: boolean;
}

function One({ name, href, figure: { total, hours }, bad = false, now = false }: Props) {
  return (
    <div className="relative border-line px-4 py-4 not-last:border-r hover:bg-surface max-lg:nth-2:border-r-0 max-lg:nth-[n+3]:border-t sm:px-6">
      <dt className="text-small text-muted">
        <Link href={href} prefetch={false} className="row-link">
          {name}
        </Link>
        {now ? ", now" : ", 24 h"}
      </dt>
      <dd>
        <span
          className={`text-display font-semibold tracking-tight tabular-nums ${bad && total > 0 ? "text-failed" : ""}`}
        >
          {total.toLocaleString("en")}
        </span>
        <div className="mt-1">
          <Sparkline
            values={hours}
            label={`${name} in each of the last 24 hours: ${hours.join(", ")}`}
          />
        </div>
      </dd>
    </div>
  );
}
