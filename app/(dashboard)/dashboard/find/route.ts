import { inSearchTurn } from "@/app/_shared/search-turn";
import type { NavItem } from "@/app/(dashboard)/_frame/nav-items";
import { accountRoute, jsonResponse } from "@/app/(dashboard)/_shared/dashboard-route";
import { kindOf } from "@/lib/resources/kinds";
import { findByName, findParent } from "@/lib/resources/search/service";

/** The palette's entries for a name, or for the ID of a part of a resource. */
export const GET = accountRoute(async (caller, _, request) => {
  const { searchParams } = new URL(request.url);
  const part = searchParams.get("id");
  if (part !== null) return jsonResponse(itemForPart(part, await findParent(caller, part)));
  const words = searchParams.get("name") ?? "";
  const found = await inSearchTurn(caller, () => findByName(caller, words));
  return jsonResponse(found.flatMap(({ id, name }) => itemFor(id, name)));
});

function itemFor(id: string, name: string, below = ""): NavItem[] {
  const kind = kindOf(id);
  return kind ? [{ name, href: `/${kind.name}/${id}${below}`, icon: kind.name }] : [];
}

function itemForPart(id: string, parent: string | undefined): NavItem[] {
  if (parent === undefined) return [];
  const isEvent = id.startsWith("wev_") || id.startsWith("iev_");
  const noun = kindOf(parent)?.noun ?? "resource";
  return isEvent
    ? itemFor(parent, `Open the event ${id}`, `/events/${id}`)
    : itemFor(parent, `Open the ${noun} of ${id}`);
}
