import { anonymous, type Caller, scopes } from "@/lib/caller";
import { queryOne, sql } from "@/lib/db/sql";
import { authenticate } from "./authenticate";
import { type Membership, membershipsOf } from "./members";
import { createKeySession, findSession } from "./sessions";

/** Who looks at a page: the caller for the services, and what the frame of the page says of them. */
export interface Visitor {
  caller: Caller;
  /** null: nobody is signed in. */
  account: Account | null;
}

export interface Account {
  sessionId: string;
  /** What the person, or the key, is known by. */
  name: string;
  organization: { id: string; name: string };
  /** A person's organizations; none for a key, which has its own only. */
  memberships: Membership[];
}

const nobody: Visitor = { caller: anonymous, account: null };

/** Who holds the session of this cookie's token. A session that has ended is nobody's. */
export async function findVisitor(token: string | undefined): Promise<Visitor> {
  const session = token === undefined ? undefined : await findSession(token);
  if (!session) return nobody;
  if (session.keyId !== null) {
    const { keyId, organizationId } = session;
    const organization = await queryOne<{ id: string; name: string }>(
      sql`SELECT id, name FROM organizations WHERE id = ${organizationId}`,
    );
    if (!organization) return nobody;
    return {
      caller: { kind: "key", keyId, organizationId, scopes: session.scopes },
      account: { sessionId: session.id, name: session.keyName, organization, memberships: [] },
    };
  }
  const memberships = await membershipsOf(session.userId);
  const chosen =
    memberships.find(({ organizationId }) => organizationId === session.organizationId) ??
    memberships[0];
  if (!chosen) return nobody;
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

/** Opens a session with an API key's rights. Throws 401 for what is no live key. */
export async function signInWithKey(key: string): Promise<string> {
  const caller = await authenticate(`Bearer ${key}`);
  if (caller.kind !== "key") throw new Error("A key authenticates as a key.");
  return createKeySession(caller.keyId);
}
