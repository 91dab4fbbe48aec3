import type { ChangeList } from "@/lib/resources/changes/contract";
import { jsonOf } from "../../support/http";
import type { Session } from "../session";

/** Marks what a page says to continue with. */
export const CURSOR = "next_cursor";

/** Follows the feed from its beginning until the run is over. */
export async function follow(session: Session) {
  for (let after = "chg_0"; !session.isOver; ) {
    const limit = 1 + session.pick(30);
    const wait = session.pick(2);
    let next = after;
    await session.call("follow", "feed", {
      method: "GET",
      path: `/api/changes?after=${after}&limit=${limit}&wait=${wait}`,
      about: { id: after },
      find: (response) => {
        const { data, next_cursor } = jsonOf<ChangeList>(response);
        next = next_cursor;
        const changes = data.map(({ id, kind, action, resource_id }) => ({
          id,
          value: `${kind} ${action} ${resource_id}`,
        }));
        return [...changes, { id: next_cursor, value: CURSOR }];
      },
    });
    after = next;
    await session.rest(100);
  }
}

export async function listFeed(session: Session) {
  await session.list("fed", "feed", "/api/changes?", ({ id, kind, action, resource_id }) => ({
    id,
    value: `${kind} ${action} ${resource_id}`,
  }));
}
