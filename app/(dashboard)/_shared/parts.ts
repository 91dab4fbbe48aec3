import { queryParam, type SearchParams } from "@/app/_shared/query";
import type { BodyChoice } from "@/components/bodies/body-content";
import type { Pill } from "@/components/ui/pills";

/** The parts of a pane, one of which the query selects. */
export type Parts = ReturnType<typeof partsOf>;

/**
 * Takes the query of a page, and what returns the address of its pane with other parameters. Returns the
 * tabs of the pane, and the view of its body.
 */
export function partsOf(
  search: SearchParams,
  hrefOf: (part: { tab?: string | undefined; body?: string }) => string,
) {
  const tab = queryParam(search, "tab");
  return {
    hrefOf,
    /** The pane's tabs. The first has no parameter, and is selected by default. */
    tabs(named: (Omit<Pill, "href" | "chosen"> | false)[]) {
      const list = named
        .filter((one) => one !== false)
        .map((one, index) => ({
          ...one,
          href: hrefOf({ tab: index === 0 ? undefined : one.name.toLowerCase() }),
        }));
      const chosen = list.find(({ name }) => name.toLowerCase() === tab) ?? list[0];
      return {
        chosen: chosen?.name ?? "",
        list: list.map((one) => ({ ...one, chosen: one === chosen })),
      };
    },
    /** The view of a body, within its tab. */
    body: {
      choice: queryParam(search, "body"),
      hrefOf: (body: BodyChoice) => hrefOf({ tab, body }),
    },
  };
}
