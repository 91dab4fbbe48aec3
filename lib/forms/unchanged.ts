import { ApiError } from "@/lib/errors";
import { describedTag, type Precondition } from "@/lib/http/conditional";

/** What a form remembers of the resource that it shows, to be sent back in its field `tag`. */
export const formTag = describedTag;

/** A precondition by the `formTag` that a resource had when a form showed it, in its field `tag`. */
export function unchangedSince(tag: string): Precondition {
  return (resource) => {
    if (describedTag(resource) === tag) return;
    throw new ApiError(
      "precondition_failed",
      "Somebody else has changed this meanwhile. Open it again to see how it is now.",
      { param: "tag" },
    );
  };
}
