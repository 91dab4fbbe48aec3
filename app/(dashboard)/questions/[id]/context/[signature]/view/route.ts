import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { viewResponse } from "@/lib/resources/artifacts/view";
import { contextOf } from "@/lib/resources/questions/context";

/** The frame with the context of a question. */
export const GET = dashboardRoute<{ id: string; signature: string }>(
  async (caller, { id, signature }, request) =>
    viewResponse(request, {
      name: "Context",
      format: "markdown",
      content: await contextOf(caller, id, signature),
    }),
);
