import { requireAccount } from "@/app/_shared/session";
import { dashboardResponse } from "@/app/(dashboard)/_shared/dashboard-response";
import { Answer } from "@/lib/http/answer";
import { pulseOf } from "@/lib/overview/pulse";
import { overviewOf } from "@/lib/overview/service";

/** The figures of the overview as they are now. */
export async function GET(): Promise<Response> {
  return dashboardResponse(async () => {
    const { caller } = await requireAccount();
    const overview = await overviewOf(caller);
    return new Answer(
      200,
      { "Content-Type": "application/json", "Cache-Control": "no-store" },
      JSON.stringify(overview && pulseOf(overview)),
    );
  });
}
