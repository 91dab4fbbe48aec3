import { versionTag } from "@/app/(dashboard)/_shared/version-tag";
import { listInvitations, listReceivedInvitations } from "@/lib/identity/organizations/invitations";
import { listMembers } from "@/lib/identity/organizations/organization";
import { listSessions } from "@/lib/identity/sessions/sessions";
import type { Caller } from "@/lib/platform/caller";
import { SUBSCRIPTIONS_MAX } from "@/lib/resources/subscriptions/contract";
import { list } from "@/lib/resources/subscriptions/service";

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
    ...members.map(({ user_id }) => user_id),
    ...[invitations, toYou, sessions, subscriptions].flatMap((rows) => rows.map(({ id }) => id)),
  ];
  return { ...lists, ids, version: versionTag(lists) };
}
