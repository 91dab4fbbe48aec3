"use server";

import { revalidatePath } from "next/cache";
import { runForm } from "@/app/_shared/run-action";
import type { FormResult } from "@/components/ui/action-form";
import { ApiError } from "@/lib/platform/errors";
import { stopNotices } from "@/lib/resources/notices/settings";

/** The token is the permission, so the person need not be signed in. */
export async function stop(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const token = String(data.get("token"));
    if (!(await stopNotices(token))) {
      throw new ApiError("resource_not_found", "This link is not valid.");
    }
    revalidatePath(`/notices/${token}`);
  });
}
