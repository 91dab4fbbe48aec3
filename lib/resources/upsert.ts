import { organizationOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { query, raw, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError, quote } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { hasExternalId } from "./external-id";
import type { Kind } from "./kinds";

/** How many IDs the error lists. */
const AMBIGUOUS_IDS_MAX = 10;

/** How a kind of resource is upserted by external ID. */
export interface Upserting<Input, Resource> {
  kind: Kind;
  create(caller: Caller, input: Input, db: Transaction): Promise<Resource>;
  /** Throws 404 if the resource has been deleted. */
  update(
    caller: Caller,
    id: string,
    input: Input,
    precondition: Precondition | undefined,
  ): Promise<Resource>;
}

export interface Upserted<Resource> {
  created: boolean;
  resource: Resource;
}

/**
 * Updates the caller's resource with this external ID, or creates it. Throws 409
 * `external_id_ambiguous` if several have it, 412, and the errors of create or update.
 */
export async function upsert<Input, Resource>(
  { kind, ...code }: Upserting<Input, Resource>,
  caller: Caller,
  externalId: string,
  input: Input,
  precondition?: Precondition,
): Promise<Upserted<Resource>> {
  const organizationId = organizationOf(caller);
  if (organizationId === null) throw new Error("The caller of an upsert has no organization.");
  const owner = { organizationId, externalId };
  for (;;) {
    const id = await findId(kind, owner);
    if (id !== undefined) {
      const resource = await code
        .update(caller, id, input, precondition)
        .catch(undefinedIfNotFound);
      if (resource !== undefined) return { created: false, resource };
    }
    precondition?.(undefined);
    const created = await createOnce({ kind, ...code }, caller, owner, {
      ...input,
      external_id: externalId,
    });
    if (created !== undefined) return { created: true, resource: created };
  }
}

/**
 * Creates the resource, or returns undefined if it exists already. The lock makes a concurrent
 * upsert of the same external ID wait, and then find what the first created.
 */
function createOnce<Input, Resource>(
  { kind, create }: Upserting<Input, Resource>,
  caller: Caller,
  owner: Owner,
  input: Input,
): Promise<Resource | undefined> {
  return transaction(async (db) => {
    const key = JSON.stringify([kind.noun, owner.organizationId, owner.externalId]);
    await query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`, db);
    if ((await findId(kind, owner, db)) !== undefined) return undefined;
    return create(caller, input, db);
  });
}

interface Owner {
  organizationId: string;
  externalId: string;
}

async function findId(
  { noun, table }: Kind,
  { organizationId, externalId }: Owner,
  db?: Transaction,
): Promise<string | undefined> {
  // Without ORDER BY, for which the planner may read every row of the organization.
  const rows = await query<{ id: string }>(
    sql`SELECT id FROM ${raw(table)}
        WHERE ${hasExternalId(externalId)} AND organization_id = ${organizationId}
        LIMIT ${AMBIGUOUS_IDS_MAX}`,
    db,
  );
  if (rows.length > 1) throw ambiguous(noun, externalId, rows.map(({ id }) => id).sort());
  return rows[0]?.id;
}

function ambiguous(noun: string, externalId: string, ids: string[]): ApiError {
  return new ApiError(
    "external_id_ambiguous",
    `More than one ${noun} has the external ID ${quote(externalId)}: ${ids.join(", ")}. Update one by its ID.`,
    { param: "external_id" },
  );
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === "resource_not_found")) throw error;
}
