import { isRegistrationToken } from "@/lib/identity/agents/registrations";
import { digestOf } from "@/lib/identity/keys/key-format";
import type { Caller } from "@/lib/platform/caller";
import { inTurns } from "@/lib/platform/db/batches";
import { lockName } from "@/lib/platform/db/name-lock";
import {
  join,
  queryOne,
  raw,
  type Sql,
  sql,
  type Transaction,
  transaction,
} from "@/lib/platform/db/sql";
import { ApiError, invalidParam } from "@/lib/platform/errors";
import { createsClaimable, type Operation } from "@/lib/platform/http/operation";
import type { HttpRequest } from "@/lib/platform/http/request";
import { countedAddress } from "@/lib/platform/http/sent-for";
import { clientOf, refuseClaimToken } from "./claim-token";
import { kinds } from "./kinds";

/** The maximum number of resources that one claim token can create. */
export const CLAIM_SET_MAX = 100;

/** The header of a create that carries the claim token of an earlier one. */
const CLAIM_WITH = "Claim-With";

/** A create whose resource an earlier claim token will claim, too. */
export interface Joining {
  token: string;
  /** The client that wrong tokens count against. */
  client: string;
}

/** Reads the `Claim-With` header, if there is one. Throws 400 if the caller has a key. */
export function joiningOf(
  operation: Operation,
  caller: Caller,
  request: HttpRequest,
): Joining | undefined {
  const token = request.headers.get("claim-with");
  if (token === null || !createsClaimable(operation)) return undefined;
  if (caller.kind !== "anonymous") {
    throw invalidParam(
      CLAIM_WITH,
      "Claim-With is for creates without a key. What you create with a key belongs to your organization.",
    );
  }
  return { token, client: clientOf(caller, countedAddress(request)) };
}

/** Runs the creates of each claim token one at a time: one that waited for the lock would hold a connection. */
const inTurn = inTurns(1, "Too many requests with this claim token are waiting. Try again soon.");

/**
 * Stores a resource with the digest of an earlier claim token, in a transaction. Throws 403 for a
 * token that claims nothing, 400 if one of its resources has an owner or the set is full, and 429
 * after too many wrong tokens.
 */
export async function storeJoined<Result>(
  { token, client }: Joining,
  store: (db: Transaction) => Promise<Result>,
): Promise<Result> {
  const digest = digestOf(token);
  const done = await inTurn(digest, () =>
    transaction(async (db) => {
      await lockName(db, "claim", digest);
      const set = await queryOne<{ members: number; owned: number; created: number }>(
        sql`SELECT count(*) AS members, count(organization_id) AS owned,
                 count(*) FILTER (WHERE is_created) AS created
          FROM (${membersOf(digest)}) AS member`,
        db,
      );
      if (!set || set.members === 0) return undefined;
      if (set.owned > 0) {
        throw new ApiError(
          "resource_already_claimed",
          "The resources of this claim token already have an owner. Omit Claim-With, or use a key of that organization.",
          { param: CLAIM_WITH },
        );
      }
      if (set.created >= CLAIM_SET_MAX) {
        throw invalidParam(
          CLAIM_WITH,
          `A token claims at most ${CLAIM_SET_MAX} resources. Create without Claim-With to get a new token.`,
        );
      }
      return { result: await store(db) };
    }),
  );
  return done ? done.result : refuseUnknownToken(token, client, CLAIM_WITH);
}

/**
 * Throws 403 for a token that claims no resource, with a different message for an agent
 * registration's token, and 429 after too many.
 */
export async function refuseUnknownToken(
  token: string,
  client: string,
  param: string,
): Promise<never> {
  const reason = (await isRegistrationToken(token)) ? REGISTRATION_TOKEN : UNKNOWN_TOKEN;
  return refuseClaimToken(client, param, reason);
}

const UNKNOWN_TOKEN =
  "This token claims nothing: it is wrong, or what it claimed was deleted or has expired.";
const REGISTRATION_TOKEN =
  "This is the claim token of an agent's registration: send it to POST /api/agent/auth/claim. Resources have their own, from their create responses.";

/** The owners of all resources with the token, and whether a caller created each. */
function membersOf(digest: string): Sql {
  const members = kinds.map(({ table, madeFor }) => {
    const isCreated = ["true", ...madeFor.map((column) => `${column} IS NULL`)].join(" AND ");
    return sql`SELECT organization_id, ${raw(isCreated)} AS is_created FROM ${raw(table)}
               WHERE claim_token_digest = ${digest}`;
  });
  return join(members, " UNION ALL ");
}
