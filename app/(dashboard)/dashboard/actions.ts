"use server";

import { redirect } from "next/navigation";
import { runAction } from "@/app/_shared/run-action";
import { requireAccount, requireScope } from "@/app/_shared/session";
import type { FormResult } from "@/components/ui/action-form";
import { invalidParam } from "@/lib/errors";
import { writeOnce } from "@/lib/forms/once";
import { quickstarts } from "@/lib/overview/first-jobs";

/** Does what a card's command does, for the organization, and opens what it made. */
export async function doFirstJob(_: FormResult, data: FormData): Promise<FormResult> {
  return runAction(async () => {
    const job = quickstarts.find(({ name }) => name === data.get("job"));
    if (!job) throw invalidParam("job", "There is no such job.");
    const { account } = await requireAccount();
    const caller = await requireScope("api.write");
    const key = {
      id: String(data.get("form")),
      scope: account.sessionId,
      work: `overview.${job.name}`,
    };
    const id = await writeOnce(key, async (db) => (await job.create(caller, db)).id);
    redirect(`/${job.name}/${id}`);
  });
}
