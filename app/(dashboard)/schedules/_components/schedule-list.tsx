import { getTimeZone } from "@/app/_shared/display-settings";
import { queryParam, type SearchParams, withQuery } from "@/app/_shared/query";
import { indexList } from "@/app/(dashboard)/_shared/index-page";
import { rangeOf, rangeParams } from "@/app/(dashboard)/_shared/listing";
import { readShown } from "@/app/(dashboard)/_shared/read-shown";
import { Pills } from "@/components/ui/pills";
import { scheduleListVersion } from "@/lib/resources/schedules/listing";
import * as schedules from "@/lib/resources/schedules/service";
import { ScheduleForm } from "./schedule-form";
import { ScheduleTable } from "./schedule-table";

const SPANS = {
  day: { name: "24 hours", seconds: 86_400 },
  week: { name: "7 days", seconds: 7 * 86_400 },
  month: { name: "30 days", seconds: 30 * 86_400 },
} as const;

/** Schedules with their next runs: the page of schedules, and the list beside an open one. */
export const ScheduleList = indexList({
  kind: "schedules",
  searched: "names",
  about: "A schedule creates a message, an inbox event or a task at recurring times.",
  keep: (params) => ({ span: preservedParams(params).span }),
  async read(caller, params, words, openId) {
    const kept = preservedParams(params);
    // Read before the rows, so that no later change is missed.
    const version = await scheduleListVersion(caller, rangeOf(params));
    const list = await readShown(caller, params, (part) => schedules.list(caller, part, words));
    const table = (
      <ScheduleTable
        schedules={list.data}
        openId={openId}
        span={SPANS[kept.span ?? "day"]}
        hrefOf={({ id }) => withQuery(`/schedules/${id}`, kept)}
      />
    );
    return { list, version, table };
  },
  filters(params) {
    const kept = preservedParams(params);
    return (
      <Pills
        label="Timeline"
        pills={(["day", "week", "month"] as const).map((one) => ({
          name: SPANS[one].name,
          href: withQuery("/schedules", { ...kept, span: one === "day" ? undefined : one }),
          chosen: one === (kept.span ?? "day"),
        }))}
      />
    );
  },
  form: async (closeHref) => <ScheduleForm closeHref={closeHref} zone={await getTimeZone()} />,
});

/** Query parameters preserved while a schedule is open. */
export function preservedParams(params: SearchParams) {
  const span = queryParam(params, "span");
  return {
    span: span === "week" || span === "month" ? span : undefined,
    q: queryParam(params, "q") || undefined,
    ...rangeParams(params),
  } as const;
}
