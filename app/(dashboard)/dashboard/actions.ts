"use server";

import { redirect } from "next/navigation";
import { runForm } from "@/app/_shared/run-action";
import { createOnce } from "@/app/(dashboard)/_shared/create-once";
import { textField } from "@/app/(dashboard)/_shared/form-fields";
import type { FormResult } from "@/components/ui/action-form";
import { operations } from "@/lib/api/registry";
import { config } from "@/lib/platform/config/config";
import { invalidParam } from "@/lib/platform/errors";
import { Insertion } from "@/lib/resources/insertion";
import { resourceKinds } from "@/lib/resources/kinds";

/** Runs the API operation that a card's command calls, for the organization, and opens the result. */
export async function createFirst(_: FormResult, data: FormData): Promise<FormResult> {
  return runForm(data, async () => {
    const kind = resourceKinds.find(({ name }) => name === textField(data, "kind"));
    const path = `/api/${kind?.name}`;
    const operation = operations.find((one) => one.method === "POST" && one.path === path);
    if (!kind || !operation) throw invalidParam("kind", "There is no such kind of resource.");
    const { name, first } = kind;
    const id = await createOnce(data, `overview.${name}`, first.body, async (caller, body) => {
      const url = config().baseUrl + path;
      const request = new Request(url, { method: "POST", body: JSON.stringify(body) });
      const given = { request, caller, params: {}, search: "", precondition: undefined };
      const { run } = await operation.accept(given);
      const insertion = await run();
      if (insertion instanceof Insertion) return insertion;
      throw new Error(`${operation.id} creates nothing.`);
    });
    redirect(`/${name}/${id}`);
  });
}
