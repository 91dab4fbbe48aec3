import { markOf } from "@/app/(dashboard)/_shared/mark";
import { listInvitations, listReceivedInvitations } from "@/lib/accounts/invitations";
import { listMembers } from "@/lib/accounts/organization";
import { listSessions } from "@/lib/accounts/sessions";
import type { Caller } from "@/lib/caller";
import { SUBSCRIPTIONS_MAX } from "@/lib/subscriptions/contract";
import { list } from "@/lib/subscriptions/service";

/** The lists of the settings, their IDs, and a tag that changes whenever they do. */
export async function readLists(caller: Caller) {
  const [members, invitations, toYou, sessions, { data: subscriptions }] = await Promise.all([
    listMembers(caller),
    listInvitations(caller),
    listReceivedInvitations(caller),
    caller.kind === "user" ? listSessions(caller.userId) : [],
    list(caller, { limit: SUBSCRIPTIONS_MAX }),
  ]);
  const lists = { members, invitations, toYou, sessions, subscriptions };
  const ids = [
    ...members.map(({ userId }) => userId),
    ...[invitations, toYou, sessions, subscriptions].flatMap((rows) => rows.map(({ id }) => id)),
  ];
  return { ...lists, ids, mark: markOf(lists) };
}
