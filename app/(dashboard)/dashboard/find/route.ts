import { resourceKindOf } from "@/app/_shared/resources";
import { accountOf } from "@/app/_shared/session";
import type { Jump } from "@/app/(dashboard)/_frame/jumps";
import { ownAnswer } from "@/app/(dashboard)/_shared/own-route";
import { Answer } from "@/lib/http/operation";
import { findByName, parentOf } from "@/lib/overview/find";

/** Where the palette leads for a name, or for the ID of something that is part of a resource. */
export async function GET(request: Request): Promise<Response> {
  return ownAnswer(async () => {
    const { caller } = await accountOf();
    const { searchParams } = new URL(request.url);
    const part = searchParams.get("id");
    const jumps =
      part === null
        ? (await findByName(caller, searchParams.get("name") ?? "")).flatMap(({ id, name }) =>
            jumpTo(id, name),
          )
        : jumpToPart(part, await parentOf(caller, part));
    const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
    return new Answer(200, headers, JSON.stringify(jumps));
  });
}

function jumpTo(id: string, name: string, below = ""): Jump[] {
  const kind = resourceKindOf(id);
  return kind ? [{ name, href: `${kind.path}/${id}${below}`, icon: kind.icon }] : [];
}

function jumpToPart(id: string, parent: string | undefined): Jump[] {
  if (parent === undefined) return [];
  const isEvent = id.startsWith("wev_") || id.startsWith("iev_");
  const noun = resourceKindOf(parent)?.noun ?? "resource";
  return isEvent
    ? jumpTo(parent, `Open the event ${id}`, `/events/${id}`)
    : jumpTo(parent, `Open the ${noun} of ${id}`);
}
