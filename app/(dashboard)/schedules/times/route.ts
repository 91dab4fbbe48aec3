import { queryParam, type SearchParams, searchParamsOf } from "@/app/_shared/query";
import { inSearchTurn } from "@/app/_shared/search-turn";
import { dashboardRoute, TEXT } from "@/app/(dashboard)/_shared/dashboard-route";
import { HttpResponse } from "@/lib/platform/http/response";
import { cronWords } from "@/lib/resources/schedules/cron-words";
import {
  cronProblem,
  isTimezone,
  occurs,
  TIMEZONE_DEFAULT,
  timesAfter,
} from "@/lib/resources/schedules/timing";

const SHOWN = 3;
const CRON_CHARACTERS_MAX = 200;

/** For the form of a schedule, which may be public. */
export const GET = dashboardRoute((caller, _params, request) =>
  inSearchTurn(caller, async () => new HttpResponse(200, TEXT, timesOf(searchParamsOf(request)))),
);

/** A cron expression in words, and its next times in its time zone. */
function timesOf(params: SearchParams): string {
  const cron = (queryParam(params, "cron") ?? "").trim().slice(0, CRON_CHARACTERS_MAX);
  const timezone = (queryParam(params, "timezone") ?? "").trim() || TIMEZONE_DEFAULT;
  if (cron === "") return "";
  if (!isTimezone(timezone)) return `${timezone} is not the name of a time zone.`;
  const problem = cronProblem(cron);
  if (problem !== undefined) return `This ${problem}.`;
  const now = Math.floor(Date.now() / 1000);
  if (!occurs(cron, timezone, now)) {
    return `This never occurs in ${timezone}: each of its times is skipped when the clocks are set forward.`;
  }
  const never = { every_seconds: null, starts_at: null, ends_at: null, created_at: now };
  const times = timesAfter({ cron, timezone, ...never }, now, SHOWN);
  const yearOf = (time: number) =>
    new Intl.DateTimeFormat("en-GB", { timeZone: timezone, year: "numeric" }).format(time * 1000);
  const wordsOf = (time: number) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: timezone,
      weekday: "short",
      day: "numeric",
      month: "short",
      ...(yearOf(time) !== yearOf(now) && { year: "numeric" as const }),
      hour: "2-digit",
      minute: "2-digit",
    }).format(time * 1000);
  const next = `next ${times.map(wordsOf).join("; ")}`;
  return [cronWords(cron), next].filter((words) => words !== undefined).join(" · ");
}
