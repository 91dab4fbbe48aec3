import { expect } from "playwright/test";
import type { Answer, Api } from "./http";

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
  answer: Answer,
  status: number,
  code: string,
  param: string | null = null,
) {
  expect({ status: answer.status, body: bodyOrText(answer) }).toEqual({
    status,
    body: {
      error: {
        type: TYPES[status],
        code,
        message: expect.stringMatching(/\S/),
        param,
        doc_url: expect.stringMatching(new RegExp(`^https?://.+/docs/errors#${code}$`)),
        request_id: answer.headers.get("request-id"),
      },
    },
  });
  expectEnvelope(answer);
}

/** Expects any error in the complete envelope. */
export function expectEnvelope(answer: Answer) {
  expect(answer.headers.get("content-type")).toMatch(/^application\/json\b/);
  expect(answer.headers.get("request-id")).toMatch(/^req_[0-9A-Za-z]+$/);
  expect(bodyOrText(answer)).toEqual({
    error: {
      type: TYPES[answer.status],
      code: expect.stringMatching(/^[a-z_]+$/),
      message: expect.stringMatching(/\S/),
      param: answer.body.error.param === null ? null : expect.any(String),
      doc_url: expect.stringMatching(/^https?:\/\/.+\/docs\/errors#[a-z_]+$/),
      request_id: answer.headers.get("request-id"),
    },
  });
}

/** Expects this status, and shows the body when it differs. */
export function expectStatus(answer: Answer, status: number) {
  expect(answer.status, answer.text.slice(0, 1000)).toBe(status);
}

/** Expects a success, or an error below 500 in the envelope. */
export function expectOrderly(answer: Answer) {
  expect(answer.status, answer.text.slice(0, 500)).toBeGreaterThanOrEqual(200);
  expect(answer.status, answer.text.slice(0, 500)).toBeLessThan(500);
  if (answer.status >= 400) expectEnvelope(answer);
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

function bodyOrText(answer: Answer): unknown {
  try {
    return answer.body;
  } catch {
    return answer.text;
  }
}

/**
 * That something took at most `limit` milliseconds, and what else the machine has to do: twenty times
 * what a plain request takes now.
 */
export async function expectWithin(api: Api, limit: number, took: number, what?: string) {
  const started = performance.now();
  for (let turn = 0; turn < 5; turn += 1) expectStatus(await api("GET", "/api/health"), 200);
  expect(took, what).toBeLessThan(limit + 4 * (performance.now() - started));
}
