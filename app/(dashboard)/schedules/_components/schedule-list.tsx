import { getTimeZone } from "@/app/_shared/display-settings";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import {
  countOf,
  type ListProps,
  moreHref,
  rangeOf,
  rangeParams,
} from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { NoMatches } from "@/components/ui/no-matches";
import { Pills } from "@/components/ui/pills";
import { ResourceIndex } from "@/components/ui/resource-index";
import { SearchBox } from "@/components/ui/search-box";
import { mayWrite } from "@/lib/platform/caller";
import { scheduleListVersion } from "@/lib/resources/schedules/listing";
import * as schedules from "@/lib/resources/schedules/service";
import { createSchedule } from "../actions";
import { ScheduleForm } from "./schedule-form";
import { ScheduleTable } from "./schedule-table";

const SPANS = { day: "24 hours", week: "7 days", month: "30 days" } as const;
const SECONDS = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;

/** Schedules with their next runs: the page of schedules, and the list beside an open one. */
export async function ScheduleList(props: ListProps) {
  const { caller, params, creating = false, isPaused = creating, openId } = props;
  const kept = preservedParams(params);
  const span = kept.span ?? "day";
  const range = rangeOf(params);
  // Read before the rows, so that no later change is missed.
  const version = await scheduleListVersion(caller, range);
  const list = await readShown(params, (part) => schedules.list(caller, part, kept.q));
  const newHref = withQuery("/schedules", { span: kept.span, new: 1 });
  return (
    <ResourceIndex
      kind="schedules"
      {...(kept.q && { exported: null })}
      count={countOf(list)}
      newHref={mayWrite(caller) ? newHref : undefined}
      isAside={openId !== undefined}
      form={
        creating && (
          <ScheduleForm
            action={createSchedule}
            closeHref={withQuery("/schedules", { span: kept.span })}
            formId={crypto.randomUUID()}
            zone={await getTimeZone()}
          />
        )
      }
      search={
        list.total_count !== 0 && (
          <SearchBox
            label="Search names"
            value={kept.q ?? ""}
            keep={{ span: kept.span }}
            action="/schedules"
          />
        )
      }
      filters={
        openId === undefined &&
        list.total_count !== 0 && (
          <Pills
            label="Timeline"
            pills={(["day", "week", "month"] as const).map((one) => ({
              name: SPANS[one],
              href: withQuery("/schedules", { ...kept, span: one === "day" ? undefined : one }),
              chosen: one === span,
            }))}
          />
        )
      }
      isEmpty={list.total_count === 0}
      about="A schedule creates a message, an inbox event or a task at recurring times."
      moreHref={moreHref("/schedules", { span: kept.span, q: kept.q }, params, list)}
      live={{
        href: isPaused || kept.q ? undefined : withQuery("/schedules/live", { ...range }),
        shown: version,
        topic: "schedules",
        isOpen: openId !== undefined,
      }}
    >
      {list.data.length > 0 && (
        <ScheduleTable
          schedules={list.data}
          openId={openId}
          span={{ name: SPANS[span], seconds: SECONDS[span] }}
          hrefOf={({ id }) => withQuery(`/schedules/${id}`, kept)}
        />
      )}
      {list.data.length === 0 && kept.q && <NoMatches noun="schedules" allHref="/schedules" />}
    </ResourceIndex>
  );
}

/** Query parameters preserved while a schedule is open. */
export function preservedParams(params: SearchParams) {
  const span = queryParam(params, "span");
  return {
    span: span === "week" || span === "month" ? span : undefined,
    q: queryParam(params, "q") || undefined,
    ...rangeParams(params),
  } as const;
}
