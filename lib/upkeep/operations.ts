import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { isNearby } from "@/lib/platform/http/nearby";
import { operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { anonymousWriteLimit } from "@/lib/platform/limits/caller-limits";
import { countByNetwork } from "@/lib/platform/limits/sliding-window";
import { isBearer } from "@/lib/platform/secrets";
import { DispatchResult } from "@/lib/resources/messages/contract";
import { dispatchAndCount } from "@/lib/resources/messages/dispatch";
import { errorClass } from "@/lib/resources/messages/outcome";
import { sendNotices } from "@/lib/resources/notices/send";
import { createDue } from "./create-due";
import { runApart } from "./run-apart";
import { sweep } from "./sweep";

/** The time budgets for the other work of a dispatch call; the next call continues it. */
const CALL_SCHEDULES_MS = 10_000;
const CALL_SWEEP_MS = 10_000;
const CALL_NOTICES_MS = 2000;

const dispatch = {
  description:
    "For the operator's scheduler; agents need not call it. Needs CRON_SECRET, if configured, as a bearer token.",
  auth: "ignored",
  anyQuery: true,
  dispatchSecret: true,
  failures: [401, 429],
  success: { status: 200, schema: DispatchResult },
  async handle({ request }: { request: HttpRequest }) {
    await assertMayDispatch(request);
    await createDue(CALL_SCHEDULES_MS);
    try {
      const { results, ...counts } = await dispatchAndCount();
      // Without a secret anyone may call, and in local mode any web page.
      const named = config().cronSecret !== undefined || isNearby(request);
      return { ...counts, results: named ? results : results.map(unnamed) };
    } finally {
      // Sweeps even if the dispatch fails, which may be slow because there is too much to sweep.
      await runApart({
        sweep: () => sweep(CALL_SWEEP_MS),
        sendNotices: () => sendNotices(CALL_NOTICES_MS),
      }).catch(() => {}); // The database is down, and a later call tries again.
    }
  },
} as const;

export const upkeepOperations = {
  dispatch: operation("POST /api/messages/dispatch", {
    ...dispatch,
    id: "dispatchMessages",
    summary: "Deliver due messages",
    repeatable: false,
  }),
  dispatchByGet: operation("GET /api/messages/dispatch", {
    ...dispatch,
    id: "dispatchMessagesByGet",
    summary: "Deliver due messages, with GET",
    refusesHead: true,
  }),
};

/** Without a secret a call to a public server counts like a write without a key. */
async function assertMayDispatch(request: HttpRequest) {
  const { cronSecret, localMode } = config();
  if (cronSecret !== undefined) {
    if (isBearer(request, cronSecret)) return;
    throw new ApiError("unauthorized", "Send the dispatch secret as Authorization: Bearer ….");
  }
  if (!localMode) await countByNetwork("write", countedAddress(request), anonymousWriteLimit());
}

/** Leaves out the ID, and the error's details: they may quote the target, such as a location with a token. */
function unnamed({ id: _, error, ...result }: DispatchResult["results"][number]) {
  return { ...result, error: error && errorClass(error) };
}
