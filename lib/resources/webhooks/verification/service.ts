import type { Caller } from "@/lib/platform/caller";
import { query, queryOne, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError, invalidParam, notFound } from "@/lib/platform/errors";
import {
  findEndpoint,
  isEndpointCreators,
  withLockedEndpoint,
} from "@/lib/resources/webhooks/service";
import { auditSetting, renewFlowVersion } from "@/lib/resources/webhooks/settings";
import type { Encoding, SchemeName, WebhookVerification, WebhookVerificationPut } from "./contract";
import { TOLERANCE_SECONDS_DEFAULT } from "./contract";
import { schemeOf } from "./schemes";
import { sealSecret, unsealSecret } from "./sealed-secret";

/** How long the previous secret stays valid after it was replaced. */
const OVERLAP_SECONDS = 86_400;

interface VerificationRow {
  scheme: SchemeName;
  secret: Buffer;
  header: string | null;
  encoding: Encoding | null;
  tolerance_seconds: number | null;
  previous_until: number | null;
  by_creator: boolean;
  created_at: number;
  updated_at: number;
}

const COLUMNS = sql`scheme, secret, header, encoding, tolerance_seconds,
  CASE WHEN previous_until > unix_now() THEN previous_until END AS previous_until, by_creator,
  created_at, updated_at`;

/** Throws 404, also when the endpoint has no verification, and 403. */
export async function get(caller: Caller, id: string): Promise<WebhookVerification> {
  const endpoint = await findEndpoint(caller, id);
  const row = await find(endpoint.id);
  if (!row) throw notFound("verification of a webhook endpoint", id);
  return serialize(endpoint, row);
}

/**
 * Sets how the endpoint's events are checked from now on. A secret of the same scheme that is
 * replaced stays valid for `OVERLAP_SECONDS`, unless the creator of a public endpoint replaces that of
 * somebody else. Throws 404, 403, and 400 for fields that the scheme does not have.
 */
export async function put(
  caller: Caller,
  id: string,
  input: WebhookVerificationPut,
): Promise<WebhookVerification> {
  const { header, encoding, tolerance } = settingsOf(input);
  const byCreator = await isEndpointCreators(caller, id);
  return withLockedEndpoint(caller, id, async (endpoint, db) => {
    const current = await find(endpoint.id, db);
    const isTrusted = !byCreator || current?.by_creator === true;
    const isSameSecret =
      isTrusted &&
      current?.scheme === input.scheme &&
      unsealSecret(endpoint.id, current.secret) === input.secret;
    const isRotation = isTrusted && current?.scheme === input.scheme && !isSameSecret;
    const keepsPrevious = sql`CASE
      WHEN ${isSameSecret} THEN old.previous_secret WHEN ${isRotation} THEN old.secret END`;
    const keepsUntil = sql`CASE
      WHEN ${isSameSecret} THEN old.previous_until
      WHEN ${isRotation} THEN unix_now() + ${OVERLAP_SECONDS}::bigint END`;
    const row = await queryOne<VerificationRow>(
      sql`INSERT INTO webhook_verifications AS old
            (endpoint_id, scheme, secret, header, encoding, tolerance_seconds, by_creator)
          VALUES (${endpoint.id}, ${input.scheme}, ${sealSecret(endpoint.id, input.secret)},
                  ${header}, ${encoding}, ${tolerance}, ${byCreator})
          ON CONFLICT (endpoint_id) DO UPDATE SET
            previous_secret = ${keepsPrevious}, previous_until = ${keepsUntil},
            scheme = excluded.scheme, secret = excluded.secret, header = excluded.header,
            encoding = excluded.encoding, tolerance_seconds = excluded.tolerance_seconds,
            by_creator = excluded.by_creator, updated_at = unix_now()
          RETURNING ${COLUMNS}`,
      db,
    );
    if (!row) throw new Error("An upsert returned no row.");
    await renewFlowVersion(caller, endpoint.id, { byCreator, db });
    await auditSetting(db, caller, endpoint, "webhook.verification_set", { scheme: input.scheme });
    return serialize(endpoint, row);
  });
}

/** Later events are not checked. Throws 404, also when the endpoint has no verification, and 403. */
export async function remove(caller: Caller, id: string): Promise<void> {
  const byCreator = await isEndpointCreators(caller, id);
  await withLockedEndpoint(caller, id, async (endpoint, db) => {
    const removed = await query(
      sql`DELETE FROM webhook_verifications WHERE endpoint_id = ${endpoint.id} RETURNING 1`,
      db,
    );
    if (removed.length === 0) throw notFound("verification of a webhook endpoint", id);
    await renewFlowVersion(caller, endpoint.id, { byCreator, db });
    await auditSetting(db, caller, endpoint, "webhook.verification_removed");
  });
}

function find(endpointId: string, db?: Transaction): Promise<VerificationRow | undefined> {
  return queryOne<VerificationRow>(
    sql`SELECT ${COLUMNS} FROM webhook_verifications WHERE endpoint_id = ${endpointId}`,
    db,
  );
}

/** The columns of the settings. Throws 400 for a field that the scheme does not have. */
function settingsOf(input: WebhookVerificationPut) {
  const { scheme, secret, header, encoding, tolerance_seconds } = input;
  if (scheme === "hmac" && header === undefined) {
    throw new ApiError(
      "missing_required_param",
      "header is required: the name of the header with the signature.",
      { param: "header" },
    );
  }
  if (scheme !== "hmac" && (header ?? encoding) !== undefined) {
    const param = header === undefined ? "encoding" : "header";
    throw invalidParam(param, `${param} is only for the scheme hmac; ${scheme} has its own.`);
  }
  const settings = {
    scheme,
    header: header?.toLowerCase() ?? null,
    encoding: scheme === "hmac" ? (encoding ?? "hex") : null,
  };
  const { isTimed, keyOf } = schemeOf(settings);
  if (!isTimed && tolerance_seconds !== undefined) {
    throw invalidParam("tolerance_seconds", `The signatures of ${scheme} have no time.`);
  }
  if (keyOf(secret) === undefined) {
    throw invalidParam("secret", `A secret of ${scheme} is base64, with or without whsec_.`);
  }
  return {
    ...settings,
    tolerance: isTimed ? (tolerance_seconds ?? TOLERANCE_SECONDS_DEFAULT) : null,
  };
}

function serialize(
  endpoint: { id: string; organization_id: string | null },
  row: VerificationRow,
): WebhookVerification {
  const { header, encoding } = schemeOf(row);
  return {
    object: "webhook_verification",
    endpoint_id: endpoint.id,
    organization_id: endpoint.organization_id,
    scheme: row.scheme,
    header,
    encoding,
    tolerance_seconds: row.tolerance_seconds,
    previous_secret_expires_at: row.previous_until,
    survives_claim: row.by_creator || endpoint.organization_id !== null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
