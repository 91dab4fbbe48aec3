import * as z from "zod";
import { jsonOutline } from "@/lib/platform/http/json-outline";

/** The header in which Next's router sends the tree that is on screen. Without it, Next renders the whole page. */
export const ROUTER_STATE = "next-router-state-tree";

/** Three times the length and depth for our deepest pages. Validating takes quadratic time. */
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
/** Rejects what would make Next return 500. */
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

/** Whether Next can read the header. Cheap enough to check for every request. */
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
