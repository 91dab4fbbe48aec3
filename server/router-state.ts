import * as z from "zod";
import { jsonOutline } from "@/lib/platform/http/json-outline";

/** What Next's router shows, so that the server renders only what differs. Without it, a whole page. */
export const ROUTER_STATE = "next-router-state-tree";

/** That of our deepest pages has a third of this length and depth; its validation costs the square of them. */
const CHARACTERS_MAX = 2000;
const DEPTH_MAX = 30;

const Segment = z.union([
  z.string(),
  z.tuple([
    z.string(),
    z.string(),
    z.enum(["c", "oc", "d"]),
    z.array(z.string()).nullable().optional(),
  ]),
]);
/** Not what Next no longer understands: it responds with 500 to that. */
const RouterState: z.ZodType = z.tuple([
  Segment,
  z.record(
    z.string(),
    z.lazy(() => RouterState),
  ),
  z.tuple([z.string(), z.string()]).nullish(),
  z.enum(["refetch", "inside-shared-layout", "metadata-only"]).nullish(),
  z.number().nullish(),
  z.string().optional(),
]);

/** Whether Next can read the header, at a cost that every request may have. */
export function isRouterState(header: string): boolean {
  if (header.length > CHARACTERS_MAX) return false;
  try {
    const text = decodeURIComponent(header);
    const outline = jsonOutline(Buffer.from(text));
    if (!outline || outline.depth > DEPTH_MAX) return false;
    return RouterState.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
