import { Icon } from "@/components/ui/icon";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import { kindOf } from "@/lib/resources/kinds";
import type { Coming } from "@/lib/resources/overview/coming";

/** More are only on the axis. */
const LISTED_MAX = 4;

/** The next messages, runs of schedules and due tasks, on an axis and as a list. */
export function ComingNext({ coming }: { coming: Coming[] }) {
  if (coming.length === 0) {
    return <p className="px-4 py-4 text-muted sm:px-6">Nothing is scheduled or due.</p>;
  }
  return (
    <>
      <Axis coming={coming} />
      <ol data-card>
        {coming.slice(0, LISTED_MAX).map(({ id, title, at, attempts }) => {
          const kind = kindOf(id);
          return (
            kind && (
              <li
                key={id}
                className="relative flex items-center gap-3 border-b border-line px-4 py-1 hover:bg-surface sm:px-6"
              >
                <Icon name={kind.name} className="text-muted" />
                <RowLink href={`/${kind.name}/${id}`} className="min-w-0 flex-1 truncate">
                  {title.replace("https://", "")}
                </RowLink>
                {attempts > 0 && (
                  <span className="text-small text-waiting">try {attempts + 1}</span>
                )}
                <span className="flex-none text-small text-muted tabular-nums">
                  <Time unix={at} format={kind.name === "messages" ? "due" : "countdown"} />
                </span>
              </li>
            )
          );
        })}
      </ol>
    </>
  );
}

/** The time axis, from now to the last item. */
function Axis({ coming }: { coming: Coming[] }) {
  const now = Date.now() / 1000;
  const end = Math.max(...coming.map(({ at }) => at), now + 60);
  const x = (at: number) => `${(1 + Math.max((at - now) / (end - now), 0) * 98).toFixed(2)}%`;
  return (
    <div className="border-b border-line px-4 pt-2 pb-1 sm:px-6">
      <svg aria-hidden="true" className="block h-3 w-full overflow-visible">
        <line x1="0" x2="100%" y1="6" y2="6" stroke="currentColor" className="text-line-strong" />
        {coming.map(({ id, at, attempts }) => (
          <circle
            key={id}
            cx={x(at)}
            cy="6"
            r="3.5"
            fill="currentColor"
            className={attempts > 0 ? "text-waiting" : "text-accent"}
          />
        ))}
      </svg>
      <p className="flex justify-between text-small text-muted tabular-nums">
        <span>now</span>
        <Time unix={end} format="countdown" />
      </p>
    </div>
  );
}
