import { expectError } from "../support/expectations";
import { test } from "../support/fixtures";
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
}
