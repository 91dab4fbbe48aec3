import { requirePerson } from "@/lib/identity/people/person";
import type { Caller } from "@/lib/platform/caller";
import { newId } from "@/lib/platform/db/ids";
import { prisma } from "@/lib/platform/db/prisma";
import { query, sql } from "@/lib/platform/db/sql";
import { idIn } from "@/lib/platform/signed-id";

/** The kinds of notices that a member can choose. */
export const noticeKinds = ["messages", "inboxes", "agents", "questions"] as const;

export type NoticeKind = (typeof noticeKinds)[number];

export const HOUR_SECONDS = 3600;

/** The purpose of the tokens that stop notices. */
export const STOP_NOTICES = "stop-notices";

/** The kinds of notices that the caller gets in their organization. */
export async function readNotices(caller: Caller): Promise<NoticeKind[]> {
  const { userId, organizationId } = requirePerson(caller);
  const setting = await prisma.noticeSetting.findUnique({
    where: { organization_id_user_id: { organization_id: organizationId, user_id: userId } },
    select: { kinds: true },
  });
  return setting?.kinds ?? [];
}

/** Selects the kinds of notices that the caller gets from now on. */
export async function chooseNotices(caller: Caller, kinds: NoticeKind[]): Promise<void> {
  const { userId, organizationId } = requirePerson(caller);
  const isOn = kinds.length > 0;
  const isAsked = kinds.includes("questions");
  // (a) Turning notices off and on again does not send a second digest within the hour. The SELECT
  // is empty if the caller was removed from the organization.
  await query(sql`
    INSERT INTO notice_settings AS setting
      (id, organization_id, user_id, kinds, due_at, questions_since)
    SELECT ${newId("ntc")}, organization_id, user_id, ${kinds}::text[],
           CASE WHEN ${isOn} THEN unix_now() END, CASE WHEN ${isAsked} THEN unix_now() END
    FROM members WHERE organization_id = ${organizationId} AND user_id = ${userId}
    ON CONFLICT (organization_id, user_id) DO UPDATE SET
      kinds = excluded.kinds,
      due_at = CASE WHEN ${isOn} THEN coalesce(
        setting.due_at, greatest(unix_now(), setting.last_sent_at + ${HOUR_SECONDS}::bigint)) END,
      questions_since = CASE WHEN ${isAsked} THEN coalesce(setting.questions_since, unix_now()) END,
      reported_until = CASE WHEN setting.due_at IS NULL THEN unix_now() ELSE setting.reported_until END,
      full_inboxes = CASE WHEN ${kinds.includes("inboxes")} THEN setting.full_inboxes ELSE '{}' END`);
}

/** Stops all notices of the token's setting. Returns false for an invalid token. */
export async function stopNotices(token: string): Promise<boolean> {
  const id = idIn(STOP_NOTICES, "ntc", token);
  if (id === undefined) return false;
  const data = { kinds: [], due_at: null, full_inboxes: [], questions_since: null };
  await prisma.noticeSetting.updateMany({ where: { id }, data });
  return true;
}

/** The setting of a stop token; undefined for an invalid one. */
export async function describeStop(
  token: string,
): Promise<{ isOn: boolean; organizationName: string } | undefined> {
  const id = idIn(STOP_NOTICES, "ntc", token);
  if (id === undefined) return undefined;
  const setting = await prisma.noticeSetting.findUnique({
    where: { id },
    select: { due_at: true, member: { select: { organization: { select: { name: true } } } } },
  });
  // A former member gets no notices either.
  if (!setting) return { isOn: false, organizationName: "" };
  return { isOn: setting.due_at !== null, organizationName: setting.member.organization.name };
}
