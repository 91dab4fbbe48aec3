import { expect } from "playwright/test";
import type { Api, ApiResponse } from "./http";

const TYPES: Record<number, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "authorization_error",
  404: "not_found_error",
  405: "invalid_request_error",
  409: "invalid_request_error",
  410: "invalid_request_error",
  412: "invalid_request_error",
  413: "invalid_request_error",
  416: "invalid_request_error",
  422: "invalid_request_error",
  429: "rate_limit_error",
  500: "api_error",
  503: "api_error",
};

/** Expects an error with this status, code and param in the complete envelope. */
export function expectError(
  response: ApiResponse,
  status: number,
  code: string,
  param: string | null = null,
) {
  expectParts(response, errorOf(response, status, code, param));
}

/** Expects 429 with the time to wait. */
export function expectLimited(response: ApiResponse) {
  expectError(response, 429, "rate_limited");
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
}

/** Expects any error in the complete envelope. */
export function expectEnvelope(response: ApiResponse) {
  const param = response.body.error.param === null ? null : expect.any(String);
  expectParts(response, errorOf(response, response.status, response.body.error.code, param));
}

/** Reports only a difference, because the runner takes milliseconds to record a comparison. */
function expectParts(response: ApiResponse, expected: ReturnType<typeof errorOf>) {
  const parts = partsOf(response);
  if (!expect.objectContaining(expected).asymmetricMatch(parts)) expect(parts).toEqual(expected);
}

function partsOf(response: ApiResponse) {
  return {
    status: response.status,
    contentType: response.headers.get("content-type"),
    requestId: response.headers.get("request-id"),
    body: bodyOrText(response),
  };
}

function errorOf(response: ApiResponse, status: number, code: string, param: unknown) {
  return {
    status,
    contentType: expect.stringMatching(/^application\/json\b/),
    requestId: expect.stringMatching(/^req_[0-9A-Za-z]+$/),
    body: {
      error: {
        type: TYPES[status],
        code: /^[a-z_]+$/.test(code) ? code : "a code",
        message: expect.stringMatching(/\S/),
        param,
        doc_url: expect.stringMatching(new RegExp(`^https?://.+/docs/errors#${code}$`)),
        request_id: response.headers.get("request-id"),
      },
    },
  };
}

/** Expects this status, and shows the body when it differs. */
export function expectStatus(response: ApiResponse, status: number) {
  // Each `expect` reports a step, and the statuses of all requests make most of them.
  if (response.status !== status)
    expect(response.status, response.text.slice(0, 1000)).toBe(status);
}

/** How many of the responses have each status. */
export function countStatuses(responses: ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** No more than a server has connections for, since it refuses who waits five seconds for one. */
const AT_ONCE = 8;

/** Runs one check for every row of a table, several at once, and names the rows that fail by their titles. */
export async function eachOf<Row extends readonly [title: string, ...unknown[]]>(
  rows: readonly Row[],
  check: (row: Row) => Promise<void>,
) {
  const failed: string[] = [];
  const left = rows.entries();
  const checkNext = async () => {
    for (const [index, row] of left) {
      await check(row).catch((error: Error) => {
        failed[index] = `${row[0]}: ${error.message}`;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, checkNext));
  expect(failed.filter(Boolean).join("\n\n")).toBe("");
}

/** Fails a test that lacks a value it needs: `ids[2] ?? missing()`. */
export function missing(): never {
  throw new Error("There is no such value.");
}

/** Expects a success, or an error below 500 in the envelope. */
export function expectOrderly(response: ApiResponse) {
  const isOrderly = response.status >= 200 && response.status < 500;
  if (!isOrderly) expect(response.status, response.text.slice(0, 500)).toBe("200 to 499");
  if (response.status >= 400) expectEnvelope(response);
}

/** Expects the path to be that of a missing task for every method. */
export async function expectMissing(api: Api, path: string, key: string) {
  for (const caller of [undefined, key]) {
    const options = { key: caller };
    expectError(await api("GET", path, options), 404, "resource_not_found");
    const patched = await api("PATCH", path, { ...options, body: { name: "x" } });
    expectError(patched, 404, "resource_not_found");
    expectError(await api("DELETE", path, options), 404, "resource_not_found");
  }
  expectStatus(await api("HEAD", path), 404);
  expectStatus(await api("OPTIONS", path), 204);
}

/** The exact `WWW-Authenticate` values. */
export function challenges(baseUrl: string, audience: "api" | "mcp" = "api") {
  const path = `/.well-known/oauth-protected-resource${audience === "mcp" ? "/mcp" : ""}`;
  const metadata = `Bearer resource_metadata="${baseUrl}${path}"`;
  const scope = audience === "mcp" ? ', scope="api.read api.write"' : "";
  return {
    credentialNeeded: metadata + scope,
    invalidCredential: `${metadata}, error="invalid_token", error_description="The credential is invalid, expired or revoked."${scope}`,
    insufficientScope: `${metadata}, error="insufficient_scope", scope="api.write"`,
  };
}

function bodyOrText(response: ApiResponse): unknown {
  try {
    return response.body;
  } catch {
    return response.text;
  }
}

/**
 * That something took at most `limit` milliseconds, and what else the machine has to do: four
 * seconds, since a busy one stands still for as long, and twenty times what a plain request takes now.
 */
export async function expectWithin(api: Api, limit: number, took: number, what?: string) {
  const started = performance.now();
  for (let turn = 0; turn < 5; turn += 1) await api("GET", "/api/health");
  expect(took, what).toBeLessThan(limit + 4000 + 4 * (performance.now() - started));
}
