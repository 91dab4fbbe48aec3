import { networkOf } from "@/lib/platform/addresses";
import { unixNow } from "@/lib/platform/db/clock";
import { looksLikeId, newId } from "@/lib/platform/db/ids";
import { prisma } from "@/lib/platform/db/prisma";
import { removeRows } from "@/lib/platform/db/remove-rows";
import { query, sql, type Transaction } from "@/lib/platform/db/sql";
import { ApiError } from "@/lib/platform/errors";
import { countForAll } from "@/lib/platform/limits/sliding-window";
import { logError } from "@/lib/platform/telemetry/log";
import { fetchClientDocument, isDocumentUrl } from "./client-document";
import type { ClientMetadata, RegisteredClient } from "./contract";
import { oauthLimits } from "./limits";
import { isLoopbackUri, redirectUriProblem } from "./redirect-uri";

/** Registered clients without a grant. New ones evict the oldest of the network with the most. */
export const UNUSED_CLIENTS_MAX = 10_000;
export const UNUSED_SECONDS = 7 * 86_400;
export const ABANDONED_SECONDS = 90 * 86_400;
const NAME_LENGTH_MAX = 80;

export interface Client {
  id: string;
  /** The name the client registered. */
  name: string;
  redirectUris: readonly string[];
  /** `document`: its URL vouches for it. `registered`: nothing does. `own`: our command line. */
  kind: "document" | "registered" | "own";
}

/** The command line of this service needs no registration. */
export const commandLine: Client = {
  id: "agent-infra-cli",
  name: "agent-infra command line",
  redirectUris: ["127.0.0.1", "[::1]", "localhost"].map((host) => `http://${host}/callback`),
  kind: "own",
};

/** The client with this `client_id`, looked up for a person. Throws 401 and 429. */
export async function findClient(id: string, personId: string): Promise<Client> {
  if (id === commandLine.id) return commandLine;
  if (isDocumentUrl(id)) {
    const { client_name, redirect_uris } = await fetchClientDocument(id, personId);
    const name = cleanName(client_name) ?? new URL(id).host;
    return { id, name, redirectUris: redirect_uris, kind: "document" };
  }
  const found = looksLikeId("oac", id)
    ? await prisma.oAuthClient.findUnique({
        where: { id },
        select: { name: true, redirect_uris: true },
      })
    : undefined;
  if (!found) {
    throw new ApiError(
      "invalid_client",
      "No client has this client_id. It may have expired unused: register it again.",
    );
  }
  const name = found.name ?? "A client without a name";
  return { id, name, redirectUris: found.redirect_uris, kind: "registered" };
}

/** How people recognize a client: its host, `this computer`, or the scheme of an app. */
export function clientHost(clientId: string, redirectUri: string): string {
  if (isDocumentUrl(clientId)) return new URL(clientId).host;
  if (isLoopbackUri(redirectUri)) return "this computer";
  const url = new URL(redirectUri);
  return url.protocol === "https:" ? url.host : url.protocol.slice(0, -1);
}

/** Stores a public client (RFC 7591), counted against the address. Throws 400 and 429. */
export async function registerClient(
  metadata: ClientMetadata,
  address: string | null,
): Promise<RegisteredClient> {
  const redirectUris = [...new Set(metadata.redirect_uris)];
  for (const uri of redirectUris) {
    const problem = redirectUriProblem(uri);
    if (problem) throw new ApiError("invalid_redirect_uri", `A redirect URI ${problem}.`);
  }
  if (metadata.grant_types && !metadata.grant_types.includes("authorization_code")) {
    throw invalidMetadata("grant_types must contain authorization_code.");
  }
  if (metadata.response_types && !metadata.response_types.includes("code")) {
    throw invalidMetadata("response_types must contain code.");
  }
  const network = networkOf(address, 48);
  await countForAll("oauth-register", oauthLimits.client_registrations, network);
  const name = cleanName(metadata.client_name) ?? null;
  const { id, created_at } = await prisma.oAuthClient.create({
    data: {
      id: newId("oac"),
      name,
      redirect_uris: redirectUris,
      network,
    },
    select: { id: true, created_at: true },
  });
  // (d) Keeps the newest of each network.
  await query(sql`
    DELETE FROM oauth_clients WHERE id IN (
      SELECT id FROM (
        SELECT id, created_at, row_number() OVER (
                 PARTITION BY coalesce(network, id) ORDER BY created_at DESC, id DESC) AS place
        FROM oauth_clients WHERE last_used_at IS NULL) AS unused
      ORDER BY place, created_at DESC, id DESC OFFSET ${UNUSED_CLIENTS_MAX} LIMIT 100)`).catch(
    (error) => logError("Unused clients could not be evicted:", error),
  );
  return {
    client_id: id,
    client_id_issued_at: created_at,
    ...(name !== null && { client_name: name }),
    redirect_uris: redirectUris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}

/** Keeps a registered client from being deleted as unused. */
export async function markClientUsed(id: string, tx?: Transaction): Promise<void> {
  const now = await unixNow(tx);
  await (tx ?? prisma).oAuthClient.updateMany({
    where: { id, OR: [{ last_used_at: null }, { last_used_at: { lte: now - 86_400 } }] },
    data: { last_used_at: now },
  });
}

/** Deletes up to `limit` unused registered clients and returns their number. */
export function removeUnusedClients(limit: number): Promise<number> {
  const where = sql`(last_used_at IS NULL AND created_at <= unix_now() - ${UNUSED_SECONDS}::bigint)
    OR last_used_at <= unix_now() - ${ABANDONED_SECONDS}::bigint`;
  return removeRows({ table: sql`oauth_clients`, where }, limit);
}

/** Drops control and direction characters, with which a name could imitate other text. */
function cleanName(name: string | undefined): string | undefined {
  const clean =
    name
      ?.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
      .replaceAll(/\s+/g, " ")
      .trim() ?? "";
  return [...clean].slice(0, NAME_LENGTH_MAX).join("") || undefined;
}

function invalidMetadata(message: string) {
  return new ApiError("invalid_client_metadata", message);
}
