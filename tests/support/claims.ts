import { expectStatus } from "./expectations";
import type { Api, Body } from "./http";

export function daily() {
  return { every_seconds: 86_400, target: { message: { url: "https://example.com/" } } };
}

export async function create(api: Api, kind: string, body: object, token?: string): Promise<Body> {
  const headers: Record<string, string> = token === undefined ? {} : { "claim-with": token };
  const created = await api("POST", `/api/${kind}`, { body, headers });
  expectStatus(created, 201);
  return created.body;
}

export async function listed(
  api: Api,
  claim_token: string | undefined,
  key: string,
): Promise<Body> {
  const response = await api("POST", "/api/claims", { key, body: { claim_token, dry_run: true } });
  expectStatus(response, 200);
  return response.body;
}

/** Sets the forward or the verification of an endpoint, with the body or with options of the call. */
export async function put(api: Api, id: string, part: string, given: object): Promise<Body> {
  const options = "body" in given ? given : { body: given };
  const response = await api("PUT", `/api/webhooks/${id}/${part}`, options);
  expectStatus(response, 200);
  return response.body;
}
