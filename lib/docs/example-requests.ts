import { exampleId, exampleOf } from "@/lib/platform/http/example";
import type { Operation } from "@/lib/platform/http/operation";
import { kinds } from "@/lib/resources/kinds";

/** A valid request to one operation, with sample IDs. */
export interface ExampleRequest {
  params: Record<string, string>;
  query: Record<string, string | number | boolean | string[]>;
  headers: Record<string, string>;
  body: { contentType: string; text: string; json?: unknown } | undefined;
}

/** The request that an operation's examples show. JSON bodies are the contracts' examples. */
export function exampleRequest(operation: Operation): ExampleRequest {
  const { id, path } = operation;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return {
    params: Object.fromEntries(names.map((name) => [name, sampleParam(path, name)])),
    query: queries[id] ?? {},
    headers: headers[id] ?? {},
    body: bodyOf(operation),
  };
}

/** The sample value of a path parameter. IDs match the examples in the contracts. */
function sampleParam(path: string, name: string): string {
  if (name === "external_id") return "crm-4711";
  if (name === "blockerId") return "tsk_034gLK7tWm3QdXe9Rb1YfUc5Zo";
  if (name === "part") return "tasks.json";
  if (name === "n") return "1";
  if (name === "shareId") return exampleId("shr");
  if (name === "replayId") return exampleId("wrp");
  if (name === "secret") return "8f14e45fceea167a5a36dedd4bea2543";
  if (name === "token") return "034gLHnnT5MH2Sbz6VPrmYvR1q8f14e45fceea167a5a36dedd4bea2543";
  if (name === "eventId") return exampleId(path.startsWith("/api/inboxes") ? "iev" : "wev");
  if (path.startsWith("/api/catch")) return exampleId("wh");
  if (path.startsWith("/api/subscriptions")) return exampleId("sub");
  const kind = kinds.find((one) => path.startsWith(`/api/${one.name}/`));
  return exampleId(kind?.prefix ?? "tsk");
}

const queries: Record<string, ExampleRequest["query"]> = {
  listTasks: { label: ["docs"], limit: 10 },
  createArtifact: { share: true },
  listArtifacts: { limit: 10 },
  getRawArtifact: { download: "1" },
  listWebhookEvents: { method: "POST", limit: 10 },
  listInboxes: { external_id: "crm-4711" },
  ingestInboxEvent: { dedup_id: "order-7" },
  listInboxEvents: { state: "ready", limit: 10 },
  purgeInboxEvents: { state: "dead" },
  replyToInboxEvent: { lease_id: "lse_034gM0Zr8oVbYwWk3nJ5cTqB2x" },
  readInboxReply: { wait: 20 },
  listMessages: { status: "scheduled" },
  listQuestions: { state: "open" },
  getQuestion: { wait: 25 },
  listChanges: { after: "latest", kind: ["tasks"] },
};

const headers: Record<string, ExampleRequest["headers"]> = {
  openClaimPage: { Accept: "text/html" },
};

const FORM = "application/x-www-form-urlencoded";

/** Bodies without a JSON schema. */
const captured = { contentType: "application/json", json: { paid: true } };
const rawBodies: Record<string, { contentType: string; json?: unknown; text?: string }> = {
  capturePost: captured,
  capturePut: captured,
  capturePatch: captured,
  ingestInboxEvent: { contentType: "application/json", json: { order: 7 } },
  replyToInboxEvent: { contentType: "application/json", json: { done: true } },
  callMcp: {
    contentType: "application/json",
    json: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  },
  revokeAgent: { contentType: "application/logout+jwt", text: "eyJhbGciOiJFUzI1NiJ9.e30.c2ln" },
};

function bodyOf({ id, body, rawBody }: Operation): ExampleRequest["body"] {
  const raw = rawBodies[id];
  if (raw) return { text: JSON.stringify(raw.json), ...raw };
  const schema = body ?? rawBody?.schema;
  const json = schema && exampleOf(schema);
  if (json === undefined) return undefined;
  if (rawBody?.contentType === FORM) {
    return { contentType: FORM, text: new URLSearchParams(Object(json)).toString() };
  }
  return { contentType: "application/json", json, text: JSON.stringify(json) };
}
