import { actionNamed, callAction, everyAction, formBody, resultOf } from "../support/actions";
import { expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { post } from "../support/forms";
import { makeKeyText } from "../support/keys";
import { makePerson, openSession } from "../support/people";

/** Requests that none of our pages sends. */

test("The image optimizer is disabled", async ({ api }) => {
  for (const url of ["/icon.svg", "/api/health", "http://127.0.0.1/x.png"]) {
    const response = await api("GET", "/_next/image", { query: { url, w: 64, q: 75 } });
    expect(response.status).toBe(404);
  }
});

test("A form post to a shared document is refused", async ({ baseUrl }) => {
  for (const name of ["$ACTION_REF_1", `$ACTION_ID_${"a".repeat(42)}`, "x"]) {
    const response = await post(
      baseUrl,
      `/a/${makeKeyText()}`,
      { [name]: "" },
      { origin: baseUrl },
    );
    expect(response.status).toBe(405);
    expect(response.headers.allow).toBe("GET, HEAD");
  }
});

test("A share link that shows nothing is an error for programs and a page for browsers", async ({
  api,
}) => {
  expectError(await api("GET", "/a/nothing"), 404, "resource_not_found");
  const page = await api("GET", "/a/nothing", { headers: { accept: "text/html" } });
  expectStatus(page, 404);
  expect(page.text).toContain("This link does not work");
  expect(page.headers.all("request-id")).toEqual([expect.stringMatching(/^req_/)]);
});

test("The page of a shared document runs only its own scripts, with a new nonce each time", async ({
  api,
}) => {
  const made = await api("POST", "/api/artifacts", { body: { name: "x", content: "# Hello" } });
  const share = await api("POST", `/api/artifacts/${made.body.id}/share`, { body: {} });
  const path = new URL(share.body.url).pathname;
  const nonces = new Set<string>();
  for (let n = 0; n < 2; n += 1) {
    const page = await api("GET", path);
    expect(page.status).toBe(200);
    const policies = page.headers.all("content-security-policy");
    expect(policies).toHaveLength(1);
    expect(policies[0]).toContain("default-src 'none'");
    expect(policies[0]).toContain("form-action 'none'");
    expect(policies[0]).not.toMatch(/script-src[^;]*unsafe/);
    const nonce = /script-src 'self' 'nonce-([\w+/=]{24})'/.exec(policies[0] ?? "")?.[1] ?? "";
    expect(nonce).not.toBe("");
    for (const [script] of page.text.matchAll(/<script[^>]*>/g)) {
      expect(script).toContain(`nonce="${nonce}"`);
    }
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(2);
});

test("An action called with something other than a form is not a server error", async ({
  baseUrl,
  db,
  organization,
}) => {
  const all = everyAction();
  expect(all.length).toBeGreaterThan(50);
  for (const [index, action] of all.entries()) {
    // Some of them end the session, or delete the account.
    const person = await makePerson(db, organization.id);
    const cookie = `session=${await openSession(db, person.id)}`;
    const body = index % 2 === 0 ? "[null,null]" : '["x",{"get":"x"}]';
    const response = await callAction(baseUrl, action, body, { cookie });
    const { name, page } = action;
    expect(response.status, `${name} at ${page}`).toBeLessThan(500);
    const isOurs = (await response.text()).includes("our side");
    expect(isOurs, `${name} at ${page}`).toBe(false);
  }
});

test("A message of ours sends no form, which would count for our own address", async ({
  baseUrl,
}) => {
  const action = actionNamed("sendCode");
  for (const name of ["message-attempt", "replay-message-id"]) {
    const headers = { [name]: "1" };
    const body = formBody({ email: "owner@example.com" });
    const sent = await callAction(baseUrl, action, body, { headers });
    expect(await resultOf(sent)).toMatchObject({ message: "A message cannot make this call." });
  }
});
