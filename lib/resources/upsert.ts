import type * as z from "zod";
import { ownerOf } from "@/lib/identity/access";
import type { Caller } from "@/lib/platform/caller";
import { inTurns } from "@/lib/platform/db/batches";
import { lockName } from "@/lib/platform/db/name-lock";
import { query, raw, sql, type Transaction, transaction } from "@/lib/platform/db/sql";
import { ApiError, type ErrorCode, invalidParam, quote } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { externalId } from "@/lib/platform/http/fields";
import { type Operation, operation } from "@/lib/platform/http/operation";
import { type HttpRequest, splitUrl } from "@/lib/platform/http/request";
import { HttpResponse } from "@/lib/platform/http/response";
import { hasExternalId } from "./external-id";
import type { Kind } from "./kinds";
import { type FoundBy, Renamed } from "./update";
import { changed, createdTag } from "./version";

/** How many IDs the error lists. */
const AMBIGUOUS_IDS_MAX = 10;

interface Upserting<Input> {
  kind: Kind;
  create(caller: Caller, input: Input, db: Transaction): Promise<{ id: string }>;
  update(
    caller: Caller,
    id: string,
    input: Input & FoundBy,
    precondition: Precondition | undefined,
  ): Promise<{ id: string }>;
}

interface Definition<Body extends z.ZodObject> extends Upserting<z.output<Body>> {
  id: string;
  /** The body of a create. */
  body: Body;
  bodyBytesMax: number;
  schema: z.ZodType;
  minimal?: readonly string[];
  errors: readonly ErrorCode[];
}

/** Defines `PUT …/external/{external_id}` for a kind of resource. */
export function upsertOperation<Body extends z.ZodObject>(definition: Definition<Body>): Operation {
  const { id, kind, body, bodyBytesMax, schema, minimal, errors } = definition;
  const collection = `/api/${kind.name}` as const;
  return operation(`PUT ${collection}/external/{external_id}`, {
    id,
    summary: "Create or update by external ID",
    description: "The body is that of a create. An update keeps the fields that it leaves out.",
    auth: "required",
    withoutKey: `Without one, POST ${collection} creates a public resource.`,
    body,
    bodyBytesMax,
    success: { status: 200, schema, orCreated: true },
    minimal,
    errors: [...errors, "external_id_ambiguous"],
    failures: [412],
    async handle({ caller, body, request, precondition }) {
      const { external_id: given, ...input } = body;
      const wanted = externalIdOf(request);
      if (given !== undefined && given !== wanted) {
        throw invalidParam("external_id", "external_id must be omitted or match the path.");
      }
      return upsert(definition, caller, wanted, input, precondition);
    },
  });
}

/** Decodes the last path segment. Unlike an ID, an external ID may be any text. */
function externalIdOf(request: HttpRequest): string {
  const segment = splitUrl(request.url).path.replace(/\/$/, "").split("/").at(-1) ?? "";
  try {
    return externalId.unwrap().parse(decodeURIComponent(segment));
  } catch {
    throw invalidParam(
      "external_id",
      "external_id must be text in percent-encoded UTF-8, without U+0000.",
    );
  }
}

/** Runs the creates of each external ID one at a time: one that waited for the lock would hold a connection. */
const inTurn = inTurns(1, "Too many requests for this external ID are waiting. Try again soon.");

/**
 * Updates the caller's resource with this external ID, or creates it. Throws 409
 * `external_id_ambiguous` if several have it, 412, and the errors of create or update.
 */
async function upsert<Input>(
  { kind, create, update }: Upserting<Input>,
  caller: Caller,
  externalId: string,
  input: Input,
  precondition: Precondition | undefined,
): Promise<HttpResponse> {
  const organizationId = ownerOf(caller);
  const find = (db?: Transaction) => findId(kind, organizationId, externalId, db);
  for (;;) {
    const id = await find();
    if (id !== undefined) {
      try {
        return changed(await update(caller, id, { ...input, found_by: externalId }, precondition));
      } catch (error) {
        // The resource may have been deleted or given another external ID in the meantime.
        const isOther = error instanceof ApiError && (await find()) !== id;
        if (!isOther && !(error instanceof Renamed)) throw error;
        continue;
      }
    }
    precondition?.(undefined);
    const key = JSON.stringify([kind.noun, organizationId, externalId]);
    const created = await inTurn(key, () =>
      transaction(async (db) => {
        // A concurrent upsert of the same external ID waits, then finds the resource that this one created.
        await lockName(db, "external ID", key);
        if ((await find(db)) !== undefined) return undefined;
        return create(caller, { ...input, external_id: externalId }, db);
      }),
    );
    if (created === undefined) continue;
    const json = JSON.stringify(created);
    const headers = {
      "Content-Type": "application/json",
      ETag: createdTag(created, json),
      Location: `/api/${kind.name}/${created.id}`,
    };
    return new HttpResponse(201, headers, json);
  }
}

async function findId(
  { noun, table }: Kind,
  organizationId: string,
  externalId: string,
  db: Transaction | undefined,
): Promise<string | undefined> {
  // Without ORDER BY, for which the planner may read every row of the organization.
  const rows = await query<{ id: string }>(
    sql`SELECT id FROM ${raw(table)}
        WHERE ${hasExternalId(externalId)} AND organization_id = ${organizationId}
        LIMIT ${AMBIGUOUS_IDS_MAX}`,
    db,
  );
  if (rows.length <= 1) return rows[0]?.id;
  const ids = rows.map(({ id }) => id).sort();
  throw new ApiError(
    "external_id_ambiguous",
    `More than one ${noun} has the external ID ${quote(externalId)}: ${ids.join(", ")}. Update one by its ID.`,
    { param: "external_id" },
  );
}
