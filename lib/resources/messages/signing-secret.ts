import * as z from "zod";
import { audit } from "@/lib/identity/audit/audit";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import type { Row } from "@/lib/platform/db/columns";
import { type Commit, together } from "@/lib/platform/db/commit";
import { prisma } from "@/lib/platform/db/prisma";
import { queryOne, sql, transaction } from "@/lib/platform/db/sql";
import { derivedKey } from "@/lib/platform/encryption";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import { objectType, timeOrNull } from "@/lib/platform/http/fields";
import type { HttpRequest } from "@/lib/platform/http/request";
import { publicKeyOf } from "./signing";

/** How long a rotated secret keeps signing beside the new one. */
export const SECRET_OVERLAP_SECONDS = 86_400;

export const SigningSecret = z
  .object({
    object: objectType("signing_secret"),
    secret: z.string().describe("The key of `v1` signatures: `whsec_` and 32 bytes in base64."),
    rotated_at: timeOrNull(
      "When it was made by a rotation, in Unix seconds; null before the first.",
    ),
    old_secret_expires_at: timeOrNull(
      "When the previous secret stops signing, in Unix seconds; null without one.",
    ),
  })
  .meta({
    id: "SigningSecret",
    examples: [{ secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwcDpR7xVnq0E=" }],
  });
export type SigningSecret = z.infer<typeof SigningSecret>;

/** Which secrets of an organization sign, as columns of `organizations`. */
type SecretVersion = Row<"Organization", "signing_secret_version"> & {
  /** True if the previous secret signs too. */
  is_overlapping: boolean;
};

/** The `SecretVersion` of an organization, or nulls without one. */
export type OwnSecretVersion =
  | ({ organization_id: string } & SecretVersion)
  | { organization_id: null };

export const SECRET_COLUMNS = sql`signing_secret_version,
  coalesce(signing_secret_rotated_at > unix_now() - ${SECRET_OVERLAP_SECONDS}::bigint, false)
    AS is_overlapping`;

/** The secrets that sign for an organization: the current one and, while they overlap, the last. */
export function secretsOf(owner: OwnSecretVersion): Uint8Array[] {
  if (owner.organization_id === null) return [];
  const { organization_id: id, signing_secret_version: current, is_overlapping } = owner;
  return [current, ...(is_overlapping ? [current - 1] : [])].map((one) => secretBytes(id, one));
}

/** The current secret of the caller's organization. The request is audited, except a HEAD, which shows nothing. */
export async function readSigningSecret(
  caller: Caller,
  request: HttpRequest,
): Promise<SigningSecret> {
  const { actor, organizationId } = keyHolder(caller);
  return transaction(async (db) => {
    // (c) Shared with the statement of a lease.
    const row = await queryOne<SecretRow>(
      sql`SELECT ${COLUMNS} FROM organizations WHERE id = ${organizationId}`,
      db,
    );
    if (!row) throw new Error("The caller's organization is gone.");
    if (request.method !== "HEAD") {
      const ip = clientAddress(request);
      await audit(db, { action: "signing_secret.shown", actor, organizationId, ip });
    }
    return serialize(organizationId, row);
  });
}

/**
 * Replaces the secret of the caller's organization; the old one keeps signing for a day. Throws 409
 * within a day of the last rotation, since a third secret would end the first too early.
 */
export async function rotateSigningSecret(
  caller: Caller,
  ip: string | null,
  commit: Commit,
): Promise<SigningSecret> {
  const { actor, organizationId } = keyHolder(caller);
  const rotate = together(async (db) => {
    // (a) The first of concurrent rotations wins. The others wait for its row, and find it rotated.
    const row = await queryOne<SecretRow>(
      sql`
      UPDATE organizations SET signing_secret_version = signing_secret_version + 1,
        signing_secret_rotated_at = unix_now()
      WHERE id = ${organizationId}
        AND coalesce(signing_secret_rotated_at <= unix_now() - ${SECRET_OVERLAP_SECONDS}::bigint, true)
      RETURNING ${COLUMNS}`,
      db,
    );
    if (!row) {
      throw new ApiError(
        "secret_already_rotated",
        `The signing secret was rotated less than ${SECRET_OVERLAP_SECONDS / 3600} hours ago, and the one before is still in use. GET /api/signing-secret shows the new one.`,
      );
    }
    await audit(db, { action: "signing_secret.rotated", actor, organizationId, ip });
    return serialize(organizationId, row);
  });
  return commit(rotate);
}

/** When the secret of the caller's organization was rotated, in Unix seconds; null if never. */
export async function lastRotation(caller: Caller): Promise<number | null> {
  const { organizationId } = keyHolder(caller);
  const organization = await prisma.organization.findUnique({
    where: { id: organizationId },
    select: { signing_secret_rotated_at: true },
  });
  return organization?.signing_secret_rotated_at ?? null;
}

/** The public key of the caller's organization, and where it is listed. */
export function signingKeyOf(caller: Caller): { key: string; path: string } {
  const { organizationId } = keyHolder(caller);
  return {
    key: publicKeyOf(organizationId).public_key,
    path: `/.well-known/webhook-signing-keys.json?organization=${organizationId}`,
  };
}

type SecretRow = SecretVersion & Row<"Organization", "signing_secret_rotated_at">;

const COLUMNS = sql`${SECRET_COLUMNS}, signing_secret_rotated_at`;

function serialize(organizationId: string, row: SecretRow): SigningSecret {
  const bytes = secretBytes(organizationId, row.signing_secret_version);
  const { signing_secret_rotated_at: rotatedAt } = row;
  return {
    object: "signing_secret",
    secret: `whsec_${Buffer.from(bytes).toString("base64")}`,
    rotated_at: rotatedAt,
    old_secret_expires_at:
      rotatedAt !== null && row.is_overlapping ? rotatedAt + SECRET_OVERLAP_SECONDS : null,
  };
}

/** Derived from the server's secret, so the database alone reveals none. */
function secretBytes(organizationId: string, version: number): Uint8Array {
  const { serverSecret } = config();
  const purpose = `webhook-signing-secret:${version}`;
  return derivedKey(serverSecret, purpose, organizationId);
}

function keyHolder(caller: Caller) {
  if (caller.kind === "anonymous") throw new Error("The caller has no organization.");
  const actor = caller.kind === "key" ? caller.keyId : caller.userId;
  return { actor, organizationId: caller.organizationId };
}
