import { listInvitations, listReceivedInvitations } from "@/lib/identity/organizations/invitations";
import { membershipsOf } from "@/lib/identity/organizations/members";
import { listMembers } from "@/lib/identity/organizations/organization";
import { listSessions } from "@/lib/identity/sessions/sessions";
import type { Caller } from "@/lib/platform/caller";
import { versionTag } from "@/lib/platform/http/conditional";
import { lastRotation } from "@/lib/resources/messages/signing-secret";
import { SUBSCRIPTIONS_MAX } from "@/lib/resources/subscriptions/contract";
import { list } from "@/lib/resources/subscriptions/service";

/** The lists of the settings, the last rotation, the rows' IDs, and a tag that changes whenever these do. */
export async function readLists(caller: Caller) {
  const [members, invitations, toYou, sessions, memberships, { data: subscriptions }, rotatedAt] =
    await Promise.all([
      listMembers(caller),
      listInvitations(caller),
      listReceivedInvitations(caller),
      caller.kind === "user" ? listSessions(caller.userId) : [],
      caller.kind === "user" ? membershipsOf(caller.userId) : [],
      list(caller, { limit: SUBSCRIPTIONS_MAX }),
      lastRotation(caller),
    ]);
  const lists = { members, invitations, toYou, sessions, memberships, subscriptions, rotatedAt };
  const ids = [
    ...members.map(({ user_id }) => user_id),
    ...[invitations, toYou, sessions, subscriptions].flatMap((rows) => rows.map(({ id }) => id)),
  ];
  return { ...lists, ids, version: versionTag(lists) };
}
