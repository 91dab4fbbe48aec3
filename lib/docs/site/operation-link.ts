import { slugOf, tagOf } from "@/lib/api/tags";
import type { Operation } from "@/lib/platform/http/operation";
import { anchorOf } from "./markdown";

/** A Markdown link to an operation's section of the reference. */
export function operationLink(operation: Operation): string {
  const { summary } = operation;
  return `[${summary}](/docs/reference/${slugOf(tagOf(operation))}.md#${anchorOf(summary)})`;
}
