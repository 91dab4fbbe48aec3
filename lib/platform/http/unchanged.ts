import { ApiError } from "@/lib/platform/errors";
import { type Precondition, stableTag } from "./conditional";

/** The version of the resource that a form shows. The form sends it back in its field `tag`. */
export const formTag = stableTag;

/** The precondition that the resource still has the `formTag` with which the form was rendered. */
export function formPrecondition(tag: string): Precondition {
  return (resource) => {
    if (stableTag(resource) === tag) return;
    throw new ApiError(
      "precondition_failed",
      "Someone else has changed this. Reload to see the current version.",
      { param: "tag" },
    );
  };
}
