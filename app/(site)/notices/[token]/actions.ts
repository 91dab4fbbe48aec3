"use server";

import { revalidatePath } from "next/cache";
import { formAction } from "@/app/_shared/run-action";
import { ApiError } from "@/lib/platform/errors";
import { stopNotices } from "@/lib/resources/notices/settings";

/** The token is the permission, so the person need not be signed in. */
export const stop = formAction(async (data) => {
  const token = String(data.get("token"));
  if (!(await stopNotices(token))) {
    throw new ApiError("resource_not_found", "This link is not valid.");
  }
  revalidatePath(`/notices/${token}`);
});
