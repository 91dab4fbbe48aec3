import { resourceKindOf } from "@/app/_shared/resources";
import { requireAccount } from "@/app/_shared/session";
import type { PaletteItem } from "@/app/(dashboard)/_frame/palette-items";
import { dashboardRoute, jsonAnswer } from "@/app/(dashboard)/_shared/dashboard-route";
import { findByName, findParent } from "@/lib/search/service";

/** Where the palette leads for a name, or for the ID of something that is part of a resource. */
export const GET = dashboardRoute(async (caller, _, request) => {
  await requireAccount();
  const { searchParams } = new URL(request.url);
  const part = searchParams.get("id");
  const jumps =
    part === null
      ? (await findByName(caller, searchParams.get("name") ?? "")).flatMap(({ id, name }) =>
          jumpTo(id, name),
        )
      : jumpToPart(part, await findParent(caller, part));
  return jsonAnswer(jumps);
});

function jumpTo(id: string, name: string, below = ""): PaletteItem[] {
  const kind = resourceKindOf(id);
  return kind ? [{ name, href: `${kind.path}/${id}${below}`, icon: kind.icon }] : [];
}

function jumpToPart(id: string, parent: string | undefined): PaletteItem[] {
  if (parent === undefined) return [];
  const isEvent = id.startsWith("wev_") || id.startsWith("iev_");
  const noun = resourceKindOf(parent)?.noun ?? "resource";
  return isEvent
    ? jumpTo(parent, `Open the event ${id}`, `/events/${id}`)
    : jumpTo(parent, `Open the ${noun} of ${id}`);
}
