import { kinds } from "@/lib/resources/kinds";
import { eachOf, expectError, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api, CallOptions, ResponseHeaders } from "../support/http";

/** Creates and deletes in one request. */

interface Outcome {
  status: number;
  id: string | null;
  error: { code: string; param: string | null } | null;
}

interface Result {
  data: Outcome[];
  claim_token?: string;
  claim_link?: string;
}

const task = (name: string) => ({ method: "POST", path: "/api/tasks", body: { name } });

async function batch(
  api: Api,
  operations: object[],
  options: CallOptions = {},
): Promise<Result & { headers: ResponseHeaders }> {
  const response = await api("POST", "/api/batch", { ...options, body: { operations } });
  expectStatus(response, 200);
  return { ...JSON.parse(response.text), headers: response.headers };
}

test("A batch creates every kind and deletes it, and each operation has its own status", async ({
  api,
  key,
  organization,
}) => {
  const creates = kinds.map(({ name, first: { body } }) => ({
    method: "POST",
    path: `/api/${name}`,
    body,
  }));
  const refused = [task(""), { method: "DELETE", path: "/api/tasks/tsk_unknown" }];
  const { data } = await batch(api, [...creates, ...refused], { key });
  expect(data.map(({ status }) => status)).toEqual([...creates.map(() => 201), 400, 404]);
  expect(data.at(-2)?.error).toMatchObject({ code: "invalid_param", param: "name" });
  expect(data.at(-1)?.error).toMatchObject({ code: "resource_not_found" });
  const paths = kinds.map(({ name }, index) => `/api/${name}/${data[index]?.id}`);
  for (const path of paths) {
    expect((await api("GET", path, { key })).body.organization_id).toBe(organization.id);
  }
  const removed = await batch(
    api,
    paths.map((path) => ({ method: "DELETE", path })),
    { key },
  );
  expect(removed.data).toEqual(
    data.slice(0, -2).map(({ id }) => ({ status: 204, id, error: null })),
  );
  for (const path of paths) expectStatus(await api("GET", path, { key }), 404);
});

test("A repeat with the same Idempotency-Key gets the same response, and creates nothing", async ({
  api,
  key,
}) => {
  const options = { key, headers: { "idempotency-key": crypto.randomUUID() } };
  const first = await batch(api, [task("One"), task("Two")], options);
  const again = await batch(api, [task("One"), task("Two")], options);
  expect(again.data).toEqual(first.data);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
  expect((await api("GET", "/api/tasks", { key })).body.data).toHaveLength(2);
  const other = { body: { operations: [task("Three")] }, ...options };
  expectError(await api("POST", "/api/batch", other), 422, "idempotency_key_reused");
});

test("A batch takes 100 large creates, and each operation has at most as many values as a body", async ({
  api,
  key,
}) => {
  const labelled = (count: number) => {
    const labels = Array.from({ length: count }, (_, n) => `label ${n}`);
    return { method: "POST", path: "/api/tasks", body: { name: "Large", labels } };
  };
  const { data } = await batch(api, Array(100).fill(labelled(20)), { key });
  expect(data.map(({ status }) => status)).toEqual(Array(100).fill(201));
  const operations = [task("Small"), labelled(2001)];
  const refused = await api("POST", "/api/batch", { key, body: { operations } });
  expectError(refused, 400, "invalid_param");
  expect(refused.body.error.message).toContain("more than 2000 values");
});

test("Without a key one token, or that of an earlier create, claims all that a batch creates", async ({
  api,
  key,
}) => {
  const { data, claim_token = "", claim_link } = await batch(api, [task("One"), task("Two")]);
  expect(claim_link).toContain(claim_token);
  const headers = { "claim-with": claim_token };
  const joined = await batch(api, [task("Three")], { headers });
  expect(joined).not.toHaveProperty("claim_token");
  const claimed = await api("POST", "/api/claims", { key, body: { claim_token } });
  expectStatus(claimed, 200);
  const ids = [...data, ...joined.data].map(({ id }) => id);
  expect(claimed.body.data.map(({ id }) => id)).toEqual(ids);
  const wrong = await batch(api, [task("Four")], { headers: { "claim-with": "clm_wrong" } });
  expect(wrong.data).toMatchObject([{ status: 403, error: { code: "invalid_claim_token" } }]);
});

test("A batch reaches what its caller reaches alone, and deletes nothing of others", async ({
  api,
  key,
  otherOrganization,
}) => {
  const made = async (owner?: string) =>
    (await api("POST", "/api/tasks", { body: { name: "x" }, ...(owner && { key: owner }) })).body
      .id;
  const ids = [await made(), await made(key), await made(otherOrganization.key)];
  const deletes = ids.map((id) => ({ method: "DELETE", path: `/api/tasks/${id}` }));
  const without = await batch(api, deletes.slice(1));
  expect(without.data.map(({ status }) => status)).toEqual([403, 403]);
  const { data } = await batch(api, deletes, { key });
  expect(data.map(({ status }) => status)).toEqual([204, 204, 403]);
});

test("A batch refuses a property named __proto__ as the create alone does", async ({
  api,
  key,
}) => {
  const raw = '{"name": "x", "__proto__": {"priority": "high"}}';
  const alone = await api("POST", "/api/tasks", { key, raw });
  expectError(alone, 400, "unknown_param", "__proto__");
  const { data } = await batch(api, [{ ...task("x"), body: JSON.parse(raw) }], { key });
  const error = { code: "unknown_param", param: "__proto__" };
  expect(data).toMatchObject([{ status: 400, error }]);
});

const REFUSED: Array<[title: string, operations: unknown, param: string]> = [
  ["none", [], "operations"],
  ["too many", Array.from({ length: 101 }, () => task("x")), "operations"],
  ["no list", task("x"), "operations"],
  ["PATCH", [{ ...task("x"), method: "PATCH" }], "operations.0.method"],
  ["a batch", [task("x"), { ...task("x"), path: "/api/batch" }], "operations.1.path"],
  ["a query", [{ ...task("x"), path: "/api/tasks?x=1" }], "operations.0.path"],
  ["an action", [{ ...task("x"), path: "/api/tasks/lease-next" }], "operations.0.path"],
  ["no ID", [{ method: "DELETE", path: "/api/tasks" }], "operations.0.path"],
  ["half a character", [{ method: "DELETE", path: "/api/tasks/\ud800" }], "operations.0.path"],
  ["a body", [{ ...task("x"), method: "DELETE", path: "/api/tasks/x" }], "operations.0.body"],
];
test("A batch with an operation that it cannot have runs none of them", async ({ api, key }) => {
  await eachOf(REFUSED, async ([_, operations, param]) => {
    const body = { operations };
    expectError(await api("POST", "/api/batch", { key, body }), 400, "invalid_param", param);
  });
  const body = { operations: [task("x"), { ...task("x"), headers: {} }] };
  const refused = await api("POST", "/api/batch", { key, body });
  expectError(refused, 400, "unknown_param", "operations.1.headers");
  for (const wrong of [[], "x", null]) {
    const given = { operations: [task("x"), { ...task("x"), body: wrong }] };
    const response = await api("POST", "/api/batch", { key, body: given });
    expectError(response, 400, "invalid_param", "operations.1.body");
  }
  expect((await api("GET", "/api/tasks", { key })).body.data).toEqual([]);
});
