import { Fragment, type ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { LoadMore } from "@/components/ui/load-more";
import { NoMatches } from "@/components/ui/no-matches";
import { Time } from "@/components/ui/time";
import type { AuditEntry } from "@/lib/identity/audit/activity";
import { kindOf } from "@/lib/resources/kinds";
import type { AuditFilters } from "./audit-filters";
import { wordsOf } from "./audit-words";
import { tabHref } from "./tabs";

interface Props {
  events: AuditEntry[];
  /** The titles of the resources that they name, by ID. */
  titles: Map<string, string>;
  filters: AuditFilters;
  moreHref: string | undefined;
}

export function AuditLog({ events, titles, filters, moreHref }: Props) {
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <ol>
        {events.map((event) => (
          <li
            key={event.id}
            id={event.id}
            className="flex flex-wrap items-baseline gap-x-3 border-b border-line px-4 py-2 target:bg-surface sm:px-6"
          >
            <span className="min-w-0 wrap-anywhere">
              <Sentence
                event={event}
                titles={titles}
                byHref={tabHref("log", { ...filters, by: event.actor })}
              />
            </span>
            {event.ip && <span className="text-small text-muted">from {event.ip}</span>}
            <span className="ml-auto text-small text-muted tabular-nums">
              <Time unix={event.created_at} className="text-right" />
            </span>
          </li>
        ))}
      </ol>
      {events.length === 0 && isFiltered && <NoMatches noun="entries" allHref={tabHref("log")} />}
      {events.length === 0 && !isFiltered && (
        <p className="px-4 py-4 text-muted sm:px-6">Nothing has happened yet.</p>
      )}
      <LoadMore href={moreHref} />
    </>
  );
}

/** The sentence for an event, with each {…} replaced by the event's data. */
function Sentence(props: { event: AuditEntry; titles: Map<string, string>; byHref: string }) {
  const { event, titles, byHref } = props;
  const { data } = event;
  const words = wordsOf(event);
  const values: Record<string, string | number | null | undefined> = {
    ...data,
    who: event.actor_name ?? event.actor,
    user: event.about ?? data.user,
    key: data.name ?? data.key ?? data.id,
  };
  const parts = [...words.matchAll(/([^{]*)\{(\w+)\}/g)];
  const said = parts.reduce((length, [part]) => length + part.length, 0);
  return (
    <>
      {parts.map(([, before, name = ""]) => (
        <Fragment key={name}>
          {before}
          <strong className="font-medium">
            <bdi>
              {name === "who" ? (
                <Link href={byHref} className="hover:underline">
                  {values.who}
                </Link>
              ) : (
                shown(values[name], titles)
              )}
            </bdi>
          </strong>
        </Fragment>
      ))}
      {words.slice(said)}
    </>
  );
}

/** A value; of a resource, its kind and title as a link. */
function shown(value: string | number | null | undefined, titles: Map<string, string>): ReactNode {
  const title = titles.get(`${value}`);
  const kind = title === undefined ? undefined : kindOf(`${value}`);
  if (!kind) return value ?? "someone";
  return (
    <Link href={`/${kind.name}/${value}`} className="hover:underline">
      the {kind.noun} {title}
    </Link>
  );
}
