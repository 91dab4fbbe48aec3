import { audit } from "@/lib/identity/audit/audit";
import { lockOrganizations } from "@/lib/identity/organizations/lock";
import { normalizeEmail } from "@/lib/identity/people/email";
import { requireMember, requireOwner, requirePerson } from "@/lib/identity/people/person";
import { forgotten } from "@/lib/identity/people/prepare-code";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import type { Prisma } from "@/lib/platform/db/generated/client";
import { newId } from "@/lib/platform/db/ids";
import { prisma } from "@/lib/platform/db/prisma";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { query, queryOne, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam, notFound } from "@/lib/platform/errors";
import { countTry, refundTry } from "@/lib/platform/limits/fixed-window";
import { sendMail, wasNotSent } from "@/lib/platform/mail/send";
import type { Role } from "./members";

export const INVITATION_SECONDS = 14 * 86_400;
/** Invitation mails of an organization, in total and, in public mode, to one address. */
export const MAIL_LIMIT = { limit: 30, windowSeconds: 86_400 };
export const MAIL_LIMIT_PER_ADDRESS = { limit: 5, windowSeconds: 86_400 };
/** Invitation mails of all organizations to one address, in public mode. */
export const MAIL_LIMIT_OF_ADDRESS = { limit: 20, windowSeconds: 86_400 };

export type Invitation = Awaited<ReturnType<typeof findOpen>>[number];

/** Invitations shown to a person: strangers can make thousands. */
export const RECEIVED_SHOWN_MAX = 50;

/** The newest matching open invitations, with the names that people see. */
async function findOpen(where: Prisma.InvitationWhereInput, take?: number) {
  return prisma.invitation.findMany({
    where: { ...where, expires_at: { gt: await unixNow() }, invited_by: { isNot: null } },
    select: {
      id: true,
      organization: { select: { name: true } },
      email: true,
      role: true,
      invited_by: { select: { email: true } },
      expires_at: true,
    },
    // By expiry, so that an invitation that was repeated counts as new.
    orderBy: [{ expires_at: "desc" }, { id: "desc" }],
    ...(take !== undefined && { take }),
  });
}

/**
 * Invites the owner of an email address. The mail links to sign-in and contains no secret. Inviting
 * again sends another mail and replaces the role. Returns false if the address has got too many mails
 * today: it is invited without one. Throws 403 if a member invites an owner.
 */
export async function invite(caller: Caller, address: string, role: Role): Promise<boolean> {
  const { userId, organizationId } = requirePerson(caller);
  const email = normalizeEmail(address);
  if (email === undefined) throw invalidParam("email", "Enter one email address.");
  const member = await prisma.member.findFirst({
    where: { organization_id: organizationId, user: { email } },
    select: { user_id: true },
  });
  if (member) throw invalidParam("email", "This person is already a member.");
  const assertMay = role === "owner" ? requireOwner : requireMember;
  const one = { organization_id: organizationId, email };
  const { open, isMailed } = await transaction(async (tx) => {
    await assertMay(caller, tx);
    await countTry(`invitations:${organizationId}`, MAIL_LIMIT, tx);
    const isMailed = await countRecipient(organizationId, email, tx);
    const where = { ...one, expires_at: { gt: await unixNow(tx) } };
    return { open: await tx.invitation.findFirst({ where, select: { id: true } }), isMailed };
  });
  if (isMailed) await sendInvitation(organizationId, email);
  // Stored only once the mail was accepted, so that a refused one changes nothing.
  await transaction(async (tx) => {
    await assertMay(caller, tx);
    const expires_at = (await unixNow(tx)) + INVITATION_SECONDS;
    const terms = { role, invited_by_user_id: userId, expires_at };
    const { id } = open
      ? await renew(tx, open.id, terms)
      : await tx.invitation.upsert({
          where: { organization_id_email: one },
          create: { id: newId("inv"), ...one, ...terms },
          update: terms,
          select: { id: true },
        });
    await audit(tx, {
      action: "member.invited",
      actor: userId,
      organizationId,
      data: { invitation: id, email, role },
    });
  });
  return isMailed;
}

/** Throws 404 for one that was withdrawn or answered while the mail was sent: it does not come back. */
async function renew(tx: Transaction, id: string, data: Prisma.InvitationUncheckedUpdateInput) {
  const { count } = await tx.invitation.updateMany({ where: { id }, data });
  if (count === 0) {
    const message = "The invitation was withdrawn or answered while it was mailed again.";
    throw new ApiError("resource_not_found", message);
  }
  return { id };
}

/** Sends the mail. If it surely was not sent, it does not count. */
async function sendInvitation(organizationId: string, email: string): Promise<void> {
  try {
    await sendMail(invitationMail(email));
  } catch (error) {
    if (wasNotSent(error)) {
      await refundTry(`invitations:${organizationId}`);
      const counters = countersOf(organizationId, email);
      await refundTry(counters.own);
      await refundTry(counters.all);
    }
    throw error;
  }
}

/**
 * Counted like codes, so that an address cannot be flooded from many organizations. Returns whether it
 * may get a mail.
 */
async function countRecipient(
  organizationId: string,
  email: string,
  tx: Transaction,
): Promise<boolean> {
  if (config().localMode) return true;
  const { own, all } = countersOf(organizationId, email);
  const refusalOf = (error: unknown) => {
    if (error instanceof ApiError && error.code === "rate_limited") return error;
    throw error;
  };
  const refused = await countTry(own, MAIL_LIMIT_PER_ADDRESS, tx).catch(refusalOf);
  if (refused) {
    const message = "This address has been sent many invitations. Invite it again tomorrow.";
    throw new ApiError("rate_limited", message, { headers: refused.headers });
  }
  // Strangers can use this up, so it is no reason to refuse the invitation.
  const isFull = await countTry(all, MAIL_LIMIT_OF_ADDRESS, tx).catch(refusalOf);
  if (isFull) await refundTry(all, tx);
  return !isFull;
}

/** The counters of an address. They outlive its account, so they do not name it. */
function countersOf(organizationId: string, email: string) {
  const address = forgotten(email);
  return { own: `invitations:${organizationId}:${address}`, all: `invitations-to:${address}` };
}

/** The open invitations of the caller's organization. `MAIL_LIMIT` bounds their number. */
export async function listInvitations(caller: Caller): Promise<Invitation[]> {
  if (caller.kind !== "user") return [];
  return findOpen({ organization_id: caller.organizationId });
}

/** Deletes an open invitation of the caller's organization. */
export async function withdraw(caller: Caller, id: string): Promise<void> {
  await transaction(async (tx) => {
    const { userId, organizationId } = await requireMember(caller, tx);
    const invitation = { id, organization_id: organizationId };
    const open = await tx.invitation.findUnique({ where: invitation, select: { email: true } });
    const { count } = await tx.invitation.deleteMany({ where: invitation });
    if (!open || count === 0) return;
    await audit(tx, {
      action: "invitation.withdrawn",
      actor: userId,
      organizationId,
      data: { invitation: id, email: open.email },
    });
  });
}

/** The newest invitations to the caller's verified address, at most one more than is shown. */
export async function listReceivedInvitations(caller: Caller): Promise<Invitation[]> {
  if (caller.kind !== "user") return [];
  const user = await prisma.user.findUnique({
    where: { id: caller.userId, email_verified_at: { not: null } },
    select: { email: true },
  });
  return user?.email ? findOpen({ email: user.email }, RECEIVED_SHOWN_MAX + 1) : [];
}

/**
 * Accepts or declines. Owning the invited address is the permission. The role is owner only while
 * the inviter is one, and a member's role is never lowered. Throws 404.
 */
export async function answerInvitation(caller: Caller, id: string, join: boolean): Promise<void> {
  const { userId } = requirePerson(caller);
  await transaction(async (tx) => {
    // Otherwise this would hold the invitation while waiting for its sender's membership, and the
    // end of that membership locks in the opposite order.
    await lockOrganizations(tx, sql`SELECT organization_id FROM invitations WHERE id = ${id}`);
    // (a) Reads the invitation and the inviter's role at one moment.
    const row = await queryOne<Row<"Invitation", "organization_id" | "role">>(
      sql`DELETE FROM invitations WHERE id = ${id} AND expires_at > unix_now()
            AND email = (SELECT email FROM users
                         WHERE id = ${userId} AND email_verified_at IS NOT NULL)
          RETURNING organization_id, CASE WHEN EXISTS (
            SELECT FROM members WHERE members.organization_id = invitations.organization_id
              AND user_id = invited_by_user_id AND members.role = 'owner'
            FOR SHARE) THEN role ELSE 'member' END AS role`,
      tx,
    );
    if (!row) throw notFound("invitation", id);
    if (!join) return;
    // (a) A concurrent join or role change is never undone.
    await query(
      sql`INSERT INTO members (organization_id, user_id, role)
          VALUES (${row.organization_id}, ${userId}, ${row.role})
          ON CONFLICT (organization_id, user_id) DO UPDATE SET role = excluded.role
            WHERE excluded.role = 'owner'`,
      tx,
    );
    await audit(tx, {
      action: "member.joined",
      actor: userId,
      organizationId: row.organization_id,
      data: { user: userId, role: row.role },
    });
  });
}

/** Contains no text from the inviter, so it cannot be used to send spam. */
function invitationMail(to: string) {
  const { baseUrl } = config();
  return {
    to,
    subject: "You have been invited to an organization on Agent Infrastructure",
    text: `Someone at ${baseUrl} has invited you to their organization, to share its tasks, webhooks,
documents, messages and inboxes.

Sign in with this address to see who it is, and to join or decline:

    ${baseUrl}/sign-in?next=/settings

The invitation expires in 14 days. If you were not expecting it, ignore this email.
`,
  };
}

/** Deletes invitations that expired a day ago, at most `limit`. They hold addresses of people who never signed up. */
export function removeExpiredInvitations(limit: number): Promise<number> {
  const where = sql`expires_at < unix_now() - 86400`;
  return removeRows({ table: sql`invitations`, where }, limit);
}
