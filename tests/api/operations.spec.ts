import { challenges, expectError } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { everyOperation, examplePath, titleOf } from "../support/operations";

/** What holds for every operation of the registry, those that do not exist yet included. */

for (const operation of everyOperation) {
  const path = examplePath(operation.path);

  if (operation.body) {
    test(`${titleOf(operation)} refuses an unknown property`, async ({ api, organization }) => {
      for (const name of ["unexpected_property", "__proto__"]) {
        const raw = `{${JSON.stringify(name)}:1}`;
        const answer = await api(operation.method, path, { key: organization.key, raw });
        expectError(answer, 400, "unknown_param", name);
      }
    });

    test(`${titleOf(operation)} refuses a body that is no JSON object`, async ({
      api,
      organization,
    }) => {
      const empty = operation.bodyOptional ? [] : [""];
      for (const raw of [...empty, "{", "[]", "null"]) {
        const answer = await api(operation.method, path, { key: organization.key, raw });
        expectError(answer, 400, "invalid_json");
      }
    });
  }

  if (operation.auth === "ignored") {
    test(`${titleOf(operation)} does not look at credentials`, async ({ api }) => {
      const open = await api(operation.method, path);
      const answer = await api(operation.method, path, { key: "svc_live_wrong" });
      expect(answer.status).toBe(open.status);
      expect(answer.headers.get("www-authenticate")).toBeNull();
    });
  } else {
    test(`${titleOf(operation)} refuses a credential that is not usable`, async ({
      api,
      baseUrl,
    }) => {
      for (const authorization of ["Bearer svc_live_wrong", "Basic x", ""]) {
        const answer = await api(operation.method, path, { headers: { authorization } });
        expectError(answer, 401, "invalid_api_key");
        expect(answer.headers.all("www-authenticate")).toEqual([
          challenges(baseUrl).invalidCredential,
        ]);
      }
    });
  }

  if (operation.auth !== "ignored" && operation.method !== "GET") {
    test(`${titleOf(operation)} asks a read-only key for api.write, unless it is a claim`, async ({
      api,
      organization,
    }) => {
      const answer = await api(operation.method, path, {
        key: organization.readKey,
        body: { unexpected_property: 1 },
      });
      if (operation.path.startsWith("/api/claim/")) {
        expectError(answer, 400, "unknown_param", "unexpected_property");
      } else {
        expectError(answer, 403, "insufficient_scope");
      }
    });
  }
}
