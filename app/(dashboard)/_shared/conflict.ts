import { readIfAllowed } from "@/app/_shared/resources";
import { visitor } from "@/app/_shared/session";
import type { FormError } from "@/components/ui/form-error-message";
import { ApiError } from "@/lib/platform/errors";
import { stableTag } from "@/lib/resources/version";
import { textField } from "./form-fields";
import { theirFields } from "./their-fields";

/**
 * What a form shows when somebody has changed the resource since it opened: the fields that now look
 * different, with `shownOf` as the form shows a resource. Throws any other error again, and this one
 * if the resource is gone.
 */
export async function conflictIn<Resource extends object>(
  error: unknown,
  data: FormData,
  shownOf: (resource: Resource) => object = (resource) => resource,
): Promise<FormError> {
  if (!(error instanceof ApiError) || error.code !== "precondition_failed") throw error;
  const { caller } = await visitor();
  const theirs = await readIfAllowed(caller, textField(data, "id"));
  if (!theirs) throw error;
  const fields = theirFields(data, shownOf(theirs as Resource));
  return {
    message: "Someone else has changed this.",
    param: "tag",
    theirs: { tag: stableTag(theirs), fields },
  };
}
