import { config } from "@/lib/platform/config/config";
import { columnsOf, type OrNull, type Row, type RowOf } from "@/lib/platform/db/columns";
import { loader } from "@/lib/platform/db/loader";
import { sql } from "@/lib/platform/db/sql";
import { unseal } from "@/lib/platform/encryption";
import { jsonOutline } from "@/lib/platform/http/json-outline";
import { FORWARDED_HEADER } from "@/lib/platform/http/relayed";
import { oncePerProcess } from "@/lib/platform/process";
import { setBounded } from "@/lib/platform/set-bounded";
import { isPath, type MatchConditions, matches } from "@/lib/resources/webhooks/forward/match";
import { type Scheme, schemeOf } from "@/lib/resources/webhooks/verification/schemes";
import {
  type SentRequest,
  type VerificationResult,
  type Verifier,
  verify,
} from "@/lib/resources/webhooks/verification/verify";

/** The number of endpoints whose settings a process caches. */
const REMEMBERED_MAX = 1000;
/** Longer bodies are parsed only if they are verified and have few values: many take long. */
export const UNVERIFIED_JSON_BYTES_MAX = 65_536;
export const LONG_JSON_VALUES_MAX = 20_000;
/** Matches the limit of an ingest. */
const DELIVERY_ID_CHARACTERS_MAX = 255;

/** How an endpoint's captures are checked and forwarded. */
interface Flow {
  version: number;
  /** The endpoint's. A claim of the endpoint changes the version. */
  owner: string | null;
  verifier: Verifier | undefined;
  forward:
    | { inboxId: string | null; methods: string[] | null; match: MatchConditions | null }
    | undefined;
}

/** A captured request, exactly as sent. */
export interface CapturedRequest extends SentRequest {
  method: string;
  headers: Iterable<[string, string]>;
  size: number;
}

/**
 * What the capture's statement stores with the event, provided the endpoint's flow still has this
 * version. The statement decides whether a valid signature is in time.
 */
export interface CaptureOutcome {
  flow_version: number;
  verified: boolean | null;
  verification_reason: string | null;
  valid_from: number | null;
  valid_until: number | null;
  late_reason: string | null;
  forward_status: "held" | "skipped" | "failed" | null;
  forward_reason: string | null;
  delivery_id: string | null;
}

const flows = oncePerProcess<Map<string, Flow>>("webhooks.flows", () => new Map());

/**
 * Classifies a capture by the endpoint's settings as this process last read them; undefined if it
 * has not read them. If they are outdated, the statement does not store the capture.
 */
export function classify(endpointId: string, request: CapturedRequest): CaptureOutcome | undefined {
  const flow = flows.get(endpointId);
  if (!flow) return undefined;
  const verification = flow.verifier && verify(flow.verifier, request);
  const body = jsonReader(request, verification?.verified === true);
  const forward = flow.forward && decide(flow.forward, request, verification, body);
  return {
    flow_version: flow.version,
    verified: verification?.verified ?? null,
    verification_reason: verification?.reason ?? null,
    valid_from: verification?.verified ? verification.from : null,
    valid_until: verification?.verified ? verification.until : null,
    late_reason: verification?.verified ? verification.late : null,
    forward_status: forward?.status ?? null,
    forward_reason: forward?.reason ?? null,
    delivery_id: forward?.status === "held" ? deliveryIdOf(flow.verifier?.scheme, request) : null,
  };
}

/**
 * The key of the turn in which captures with a forward are written, by the settings as this process
 * last read them: the endpoint's, or that of the inbox and the endpoint's owner. Anyone may forward
 * into a public inbox, and who claims it must not wait for them.
 */
export function lockOf(endpointId: string): string {
  const flow = flows.get(endpointId);
  return flow?.forward?.inboxId ? JSON.stringify([flow.owner, flow.forward.inboxId]) : endpointId;
}

/** Reads the endpoint's settings, after they turned out to have changed. */
export async function readFlow(endpointId: string): Promise<void> {
  const row = await loadFlow(endpointId);
  if (!row || row.flow_version === 0) flows.delete(endpointId);
  else setBounded(flows, endpointId, flowOf(row), REMEMBERED_MAX);
}

function decide(
  forward: NonNullable<Flow["forward"]>,
  request: CapturedRequest,
  verification: VerificationResult | undefined,
  body: JsonReader,
): { status: "held" | "skipped" | "failed"; reason: string | null } {
  const { inboxId, methods, match } = forward;
  const skipped = (reason: string) => ({ status: "skipped", reason }) as const;
  if (verification?.verified === false) return skipped("not_verified");
  if (request.header(FORWARDED_HEADER) !== null) return skipped("loop");
  if (methods && !methods.includes(request.method)) return skipped("other_method");
  if (match && Object.keys(match).some(isPath) && body().isTooLong) {
    return { status: "failed", reason: "body_too_large" };
  }
  if (match && !matches(match, { headers: request.headers, json: () => body().value })) {
    return skipped("no_match");
  }
  if (request.isTruncated || (inboxId !== null && request.size > config().inboxMaxBodyBytes)) {
    return { status: "failed", reason: "body_too_large" };
  }
  return { status: "held", reason: null };
}

/** The sender's ID for the delivery; null if there is none. */
function deliveryIdOf(
  scheme: Scheme | undefined,
  { header, body }: CapturedRequest,
): string | null {
  const known = scheme?.deliveryId;
  const id =
    known === undefined
      ? (DELIVERY_HEADERS.map(header).find((value) => value !== null) ?? null)
      : "header" in known
        ? header(known.header)
        : jsonOutline(Buffer.concat(body), known.member)?.member;
  if (typeof id !== "string" || id === "" || id.length > DELIVERY_ID_CHARACTERS_MAX) return null;
  return id.includes("\0") ? null : id.toWellFormed();
}

/** The headers with a delivery's ID, for endpoints that do not name their sender. */
const DELIVERY_HEADERS = [
  "x-github-delivery",
  "x-shopify-webhook-id",
  "webhook-id",
  "idempotency-key",
];

type Body = Pick<CapturedRequest, "body" | "size" | "isTruncated">;

/** Reads a body as JSON on first use, and only once. */
export function jsonReader(request: Body, isVerified: boolean): JsonReader {
  let read: ReturnType<JsonReader> | undefined;
  return () => {
    read ??= readJson(request, isVerified);
    return read;
  };
}

/** The value is undefined if it is not JSON or too long. */
type JsonReader = () => { isTooLong: boolean; value: unknown };

function readJson({ body, size, isTruncated }: Body, isVerified: boolean) {
  if (!isTruncated && size <= UNVERIFIED_JSON_BYTES_MAX) {
    return { isTooLong: false, value: parsed(body) };
  }
  if (isTruncated || !isVerified) return { isTooLong: true, value: undefined };
  const outline = jsonOutline(Buffer.concat(body));
  const isTooLong = outline !== undefined && outline.values > LONG_JSON_VALUES_MAX;
  return { isTooLong, value: outline && !isTooLong ? parsed(body) : undefined };
}

function parsed(body: Uint8Array[]): unknown {
  try {
    // As in `parsed_body`, a byte order mark is no part of the JSON.
    return JSON.parse(
      Buffer.concat(body)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
    );
  } catch {
    return undefined;
  }
}

const VERIFICATION_COLUMNS = columnsOf(
  "v",
  "WebhookVerification",
  "scheme, secret, previous_secret, previous_until, header, encoding, tolerance_seconds",
);
const FORWARD_COLUMNS = columnsOf("f", "WebhookForward", "inbox_id, methods, match");

type VerificationRow = RowOf<typeof VERIFICATION_COLUMNS>;

type FlowRow = Row<"EndpointState", "flow_version" | "organization_id"> & {
  key: string;
  forwards: boolean;
} & OrNull<RowOf<typeof FORWARD_COLUMNS>> &
  OrNull<VerificationRow>;

const loadFlow = loader<FlowRow>(
  (ids) => sql`
    SELECT e.endpoint_id AS key, e.flow_version, e.organization_id, ${VERIFICATION_COLUMNS},
           f.endpoint_id IS NOT NULL AS forwards, ${FORWARD_COLUMNS}
    FROM endpoint_state e
    LEFT JOIN webhook_verifications v ON v.endpoint_id = e.endpoint_id
    LEFT JOIN webhook_forwards f ON f.endpoint_id = e.endpoint_id
    WHERE e.endpoint_id = ANY (${ids})`,
);

function flowOf(row: FlowRow): Flow {
  return {
    version: row.flow_version,
    owner: row.organization_id,
    verifier: row.scheme === null ? undefined : verifierOf(row.key, row),
    forward: row.forwards
      ? {
          inboxId: row.inbox_id,
          methods: row.methods,
          match: row.match === null ? null : JSON.parse(row.match),
        }
      : undefined,
  };
}

function verifierOf(endpointId: string, row: VerificationRow): Verifier {
  const secrets = [{ secret: unseal(endpointId, row.secret), until: null as number | null }];
  if (row.previous_secret !== null) {
    const secret = unseal(endpointId, row.previous_secret);
    secrets.push({ secret, until: row.previous_until });
  }
  return {
    scheme: schemeOf(row),
    toleranceSeconds: row.tolerance_seconds ?? 0,
    secrets,
  };
}
