import { dashboardRoute } from "@/app/(dashboard)/_shared/dashboard-route";
import { viewResponse } from "@/lib/resources/artifacts/view";
import { documentOf } from "@/lib/resources/questions/documents";

/** The frame with the context of a question, or with the document that it is about. */
export const GET = dashboardRoute<{ id: string; part: string; signature: string }>(
  async (caller, { id, part, signature }, request) =>
    viewResponse(request, await documentOf(caller, id, part, signature)),
);
