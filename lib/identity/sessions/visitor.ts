import { hash } from "node:crypto";
import { shownName } from "@/lib/identity/access";
import { audit } from "@/lib/identity/audit/audit";
import { authenticate, invalidKey } from "@/lib/identity/authenticate";
import { type Membership, membershipsOf } from "@/lib/identity/organizations/members";
import { anonymous, type Caller, type Scope, scopes } from "@/lib/platform/caller";
import { prisma } from "@/lib/platform/db/prisma";
import { transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { countTry } from "@/lib/platform/limits/fixed-window";
import { createKeySession, findSession } from "./sessions";

/** Who is viewing a page: the caller for the services, and the account for the page frame. */
export interface Visitor {
  caller: Caller;
  /** Null when signed out. */
  account: Account | null;
}

export interface Account {
  sessionId: string;
  /** The person's email or the key's name. */
  name: string;
  /** Its ID stands for a name that is an address and that the caller may not see. */
  organization: { id: string; name: string };
  /** A person's organizations; empty for a key. */
  memberships: Membership[];
}

/** Names the session and organization, so that a page notices another. Not a secret. */
export function viewOf(account: Account | null): string {
  if (!account) return "visitor";
  const view = `${account.sessionId} ${account.organization.id}`;
  return hash("sha256", view, "base64url").slice(0, 16);
}

const signedOut: Visitor = { caller: anonymous, account: null };

/** The visitor behind this cookie's token; signed out if the session has ended, or its key may not read. */
export async function findVisitor(token: string | undefined, isUse = true): Promise<Visitor> {
  const session = token === undefined ? undefined : await findSession(token, isUse);
  if (!session) return signedOut;
  if (session.keyId !== null) {
    const { keyId, organizationId } = session;
    // Pages read without an operation that would ask for the scope.
    if (!mayRead(session)) return signedOut;
    const organization = await prisma.organization.findUnique({
      where: { id: organizationId },
      select: { name: true },
    });
    if (!organization) return signedOut;
    const caller: Caller = { kind: "key", keyId, organizationId, scopes: session.scopes };
    const name = shownName(caller, organization.name) ?? organizationId;
    return {
      caller,
      account: {
        sessionId: session.id,
        name: session.keyName,
        organization: { id: organizationId, name },
        memberships: [],
      },
    };
  }
  const memberships = await membershipsOf(session.userId);
  const chosen =
    memberships.find(({ organizationId }) => organizationId === session.organizationId) ??
    memberships[0];
  if (!chosen) return signedOut;
  const { organizationId, name } = chosen;
  return {
    caller: { kind: "user", userId: session.userId, organizationId, scopes },
    account: {
      sessionId: session.id,
      name: session.email ?? session.userId,
      organization: { id: organizationId, name },
      memberships,
    },
  };
}

/** How many sessions a key opens a day: each leaves a row in the log. */
export const KEY_SIGN_IN_LIMIT = { limit: 100, windowSeconds: 86_400 };

/**
 * Opens a session with an API key's scopes. Throws 401 unless the key is live, 403 unless it may read, and 429
 * `KEY_SIGN_IN_LIMIT`.
 */
export async function signInWithKey(key: string, ip: string | null): Promise<string> {
  const caller = await authenticate(`Bearer ${key}`);
  if (caller.kind !== "key") throw new Error("A key authenticates as a key.");
  if (caller.tokenExpiresAt !== undefined) {
    // Refuses an access token: the session would outlive it.
    throw invalidKey("An OAuth access token cannot sign in to the dashboard. Use an API key.");
  }
  if (!mayRead(caller)) {
    throw new ApiError(
      "insufficient_scope",
      "This key does not have api.read, so it cannot sign in to the dashboard. Use another key.",
    );
  }
  const { keyId, organizationId, meter = keyId } = caller;
  return transaction(async (tx) => {
    await countTry(`key-sign-ins:${meter}`, KEY_SIGN_IN_LIMIT, tx);
    await audit(tx, { action: "session.started", actor: keyId, organizationId, ip });
    return createKeySession(keyId, tx);
  });
}

function mayRead({ scopes }: { scopes: readonly Scope[] }): boolean {
  return scopes.includes("api.read");
}
