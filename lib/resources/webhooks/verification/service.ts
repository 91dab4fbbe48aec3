import type { Caller } from "@/lib/platform/caller";
import { unixNow } from "@/lib/platform/db/clock";
import type { Row } from "@/lib/platform/db/columns";
import { prisma } from "@/lib/platform/db/prisma";
import { seal, unseal } from "@/lib/platform/encryption";
import { ApiError, invalidParam, notFound } from "@/lib/platform/errors";
import type { Precondition } from "@/lib/platform/http/conditional";
import { isCreators } from "@/lib/resources/claim-token";
import { toResource } from "@/lib/resources/to-resource";
import { findEndpoint, withLockedEndpoint } from "@/lib/resources/webhooks/service";
import { recordSetting } from "@/lib/resources/webhooks/settings";
import {
  TOLERANCE_SECONDS_DEFAULT,
  WebhookVerification,
  type WebhookVerificationPut,
} from "./contract";
import { schemeOf } from "./schemes";

/** How long the previous secret stays valid after it has been replaced. */
export const OVERLAP_SECONDS = 86_400;

/** Throws 404, also if the endpoint has no verification, and 403. */
export async function get(caller: Caller, id: string): Promise<WebhookVerification> {
  const endpoint = await findEndpoint(caller, id);
  const where = { endpoint_id: endpoint.id };
  const row = await prisma.webhookVerification.findUnique({ where });
  if (!row) throw notFound("verification of a webhook endpoint", id);
  return serialize(endpoint, row, await unixNow());
}

/**
 * Sets how the endpoint's events are checked from now on. A replaced secret of the same scheme
 * stays valid for `OVERLAP_SECONDS`, unless the creator of a public endpoint replaces somebody
 * else's. Throws 404, 403, 400 for fields that the scheme does not have, and 412 when the
 * precondition fails.
 */
export async function put(
  caller: Caller,
  id: string,
  input: WebhookVerificationPut,
  precondition?: Precondition,
): Promise<WebhookVerification> {
  const settings = settingsOf(input);
  const byCreator = await isCreators(caller, id);
  const now = await unixNow();
  return withLockedEndpoint(caller, id, async (endpoint, db) => {
    const where = { endpoint_id: endpoint.id };
    const current = await db.webhookVerification.findUnique({ where });
    precondition?.(current ? serialize(endpoint, current, now) : undefined);
    const isTrusted = !byCreator || current?.by_creator === true;
    const old = isTrusted && current?.scheme === input.scheme ? current : null;
    const isSame = old !== null && unseal(endpoint.id, old.secret) === input.secret;
    const until = isSame ? old.previous_until : now + OVERLAP_SECONDS;
    const data = {
      ...settings,
      secret: seal(endpoint.id, input.secret),
      previous_secret: (isSame ? old.previous_secret : old?.secret) ?? null,
      previous_until: old && until,
      by_creator: byCreator,
      updated_at: endpoint.settings_at,
    };
    const create = { ...where, ...data };
    const row = await db.webhookVerification.upsert({ where, create, update: data });
    const { scheme } = input;
    await recordSetting(db, caller, endpoint, byCreator, "webhook.verification_set", { scheme });
    return serialize(endpoint, row, now);
  });
}

/**
 * Stops checking the endpoint's events. Throws 404, also if the endpoint has no verification, 403,
 * and 412 when the precondition fails.
 */
export async function remove(
  caller: Caller,
  id: string,
  precondition?: Precondition,
): Promise<void> {
  const byCreator = await isCreators(caller, id);
  const now = await unixNow();
  await withLockedEndpoint(caller, id, async (endpoint, db) => {
    const where = { endpoint_id: endpoint.id };
    const row = await db.webhookVerification.findUnique({ where });
    if (!row) throw notFound("verification of a webhook endpoint", id);
    precondition?.(serialize(endpoint, row, now));
    await db.webhookVerification.delete({ where, select: { endpoint_id: true } });
    await recordSetting(db, caller, endpoint, byCreator, "webhook.verification_removed");
  });
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
    tolerance_seconds: isTimed ? (tolerance_seconds ?? TOLERANCE_SECONDS_DEFAULT) : null,
  };
}

function serialize(
  endpoint: { id: string; organization_id: string | null },
  row: Omit<Row<"WebhookVerification">, "secret" | "previous_secret">,
  now: number,
): WebhookVerification {
  const { header, encoding } = schemeOf(row);
  const isOver = row.previous_until === null || row.previous_until <= now;
  return toResource(WebhookVerification, row, {
    organization_id: endpoint.organization_id,
    header,
    encoding,
    previous_secret_expires_at: isOver ? null : row.previous_until,
    survives_claim: row.by_creator || endpoint.organization_id !== null,
  });
}
