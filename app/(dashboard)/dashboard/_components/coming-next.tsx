import { Icon } from "@/components/ui/icon";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import { kindOf } from "@/lib/resources/kinds";
import type { Coming } from "@/lib/resources/overview/coming";

/** The next messages, runs of schedules and due tasks. */
export function ComingNext({ coming }: { coming: Coming[] }) {
  if (coming.length === 0) {
    return <p className="px-4 py-4 text-muted sm:px-6">Nothing is scheduled or due.</p>;
  }
  return (
    <ol data-card>
      {coming.map(({ id, title, at, attempts }) => {
        const kind = kindOf(id);
        return (
          kind && (
            <li
              key={id}
              className="relative flex items-center gap-3 border-b border-line px-4 py-1.5 hover:bg-surface sm:px-6"
            >
              <Icon name={kind.name} className="text-muted" />
              <RowLink href={`/${kind.name}/${id}`} className="min-w-0 flex-1 truncate">
                {title.replace("https://", "")}
              </RowLink>
              {attempts > 0 && <span className="text-small text-waiting">try {attempts + 1}</span>}
              <span className="flex-none text-small text-muted tabular-nums">
                <Time unix={at} format={kind.name === "messages" ? "due" : "countdown"} />
              </span>
            </li>
          )
        );
      })}
    </ol>
  );
}
