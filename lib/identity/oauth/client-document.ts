import * as z from "zod";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { isOwnHost } from "@/lib/platform/http/own-origin";
import { aside } from "@/lib/platform/limits/page-turn";
import { countRecentUse } from "@/lib/platform/limits/sliding-window";
import { OutboundError } from "@/lib/platform/outbound/error";
import { fetchOutbound } from "@/lib/platform/outbound/fetch";
import { publicRules } from "@/lib/platform/outbound/policy";
import { oncePerProcess } from "@/lib/platform/process";
import { setBounded } from "@/lib/platform/set-bounded";
import { documentFetchLimit } from "./limits";

const URL_LENGTH_MAX = 500;
export const DOCUMENT_BYTES_MAX = 16_384;
export const TIMEOUT_MS = 3000;
export const KEPT_MS = 600_000;
/** Short, so that a client that corrects its document need not wait long. */
const FAILURE_KEPT_MS = 15_000;
const KEPT_MAX = 500;

const Document = z.looseObject({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(100),
  grant_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
});
type ClientDocument = z.infer<typeof Document>;

const kept = oncePerProcess(
  "oauth.documents",
  () => new Map<string, { document: Promise<ClientDocument>; until: number }>(),
);

/** Whether a `client_id` is the URL of a Client ID Metadata Document. */
export function isDocumentUrl(clientId: string): boolean {
  return /^https?:/i.test(clientId);
}

/**
 * The Client ID Metadata Document at this URL, kept for ten minutes. Fetches count against
 * `personId`. Throws 401 `invalid_client` saying what is wrong, and 429.
 */
export async function fetchClientDocument(
  clientId: string,
  personId: string,
): Promise<ClientDocument> {
  const url = documentUrl(clientId);
  const known = kept.get(clientId);
  if (known && known.until > performance.now()) return aside(() => known.document);
  await countRecentUse(`oauth-document:${personId}`, documentFetchLimit);
  const document = readDocument(url);
  const keep = (ms: number) =>
    setBounded(kept, clientId, { document, until: performance.now() + ms }, KEPT_MAX);
  keep(KEPT_MS);
  document.catch(() => keep(FAILURE_KEPT_MS));
  return aside(() => document);
}

/** The draft's rules for the URL: a single spelling, and a path. */
function documentUrl(clientId: string): URL {
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  if (url?.protocol !== "https:" || clientId.length > URL_LENGTH_MAX) {
    throw invalidClient(`must be an https URL of at most ${URL_LENGTH_MAX} characters`);
  }
  if (url.href !== clientId || url.username !== "" || url.password !== "" || url.hash !== "") {
    throw invalidClient("must be in normal form, without credentials or a fragment");
  }
  if (url.pathname === "/") throw invalidClient("must have a path");
  // Anyone can publish a document, which must not pass for ours.
  if (isOwnHost(url, "hostname")) throw invalidClient("must not be on this host");
  return url;
}

async function readDocument(url: URL): Promise<ClientDocument> {
  const body = await load(url);
  const parsed = Document.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join(".");
    throw invalidClient(`has an invalid document${where ? `: ${where} is missing or wrong` : ""}`);
  }
  const { client_id, token_endpoint_auth_method = "none", grant_types } = parsed.data;
  if (client_id !== url.href) throw invalidClient("has a document with another client_id");
  if ("client_secret" in parsed.data || token_endpoint_auth_method.startsWith("client_secret")) {
    throw invalidClient("has a document with a client secret");
  }
  if (grant_types && !grant_types.includes("authorization_code")) {
    throw invalidClient("has a document without the grant type authorization_code");
  }
  return parsed.data;
}

async function load(url: URL): Promise<unknown> {
  try {
    const { status, body } = await fetchOutbound({
      url,
      headers: [["Accept", "application/json"]],
      limits: { totalTimeoutMs: TIMEOUT_MS, responseBytesMax: DOCUMENT_BYTES_MAX },
      rules: { ...publicRules(), loopback: config().localMode },
    });
    if (status !== 200) throw invalidClient(`answered ${status} instead of a document`);
    return JSON.parse(body.toString("utf8"));
  } catch (error) {
    if (error instanceof OutboundError) {
      throw invalidClient(`could not be fetched: ${error.message}`);
    }
    if (error instanceof SyntaxError) throw invalidClient("is not JSON");
    throw error;
  }
}

function invalidClient(what: string) {
  return new ApiError("invalid_client", `The client's URL (client_id) ${what}.`);
}
