import { expectError } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { everyOperation, examplePath, titleOf } from "../support/operations";

/** Guarantees for every operation in the registry, including future ones. */

for (const operation of everyOperation) {
  const path = examplePath(operation.path);

  if (operation.body) {
    test(`${titleOf(operation)} refuses an unknown property`, async ({ api, key }) => {
      for (const name of ["unexpected_property", "__proto__"]) {
        const raw = `{${JSON.stringify(name)}:1}`;
        const response = await api(operation.method, path, { key, raw });
        expectError(response, 400, "unknown_param", name);
      }
    });

    test(`${titleOf(operation)} refuses a body other than a JSON object`, async ({ api, key }) => {
      const empty = operation.bodyOptional ? [] : [""];
      for (const raw of [...empty, "{", "[]", "null"]) {
        const response = await api(operation.method, path, { key, raw });
        expectError(response, 400, "invalid_json");
      }
    });
  }

  if (operation.anyQuery) {
    test(`${titleOf(operation)} accepts any query parameter`, async ({ api }) => {
      const { status } = await api(operation.method, path);
      expect((await api(operation.method, `${path}?utm_source=x&%ff=%`)).status).toBe(status);
    });
  } else {
    test(`${titleOf(operation)} refuses an unknown query parameter and lists the known ones`, async ({
      api,
      key,
    }) => {
      const known = Object.keys(operation.query?.shape ?? {});
      const response = await api(operation.method, `${path}?unexpected=1`, { key });
      expectError(response, 400, "unknown_param", "unexpected");
      for (const parameter of known) expect(response.body.error.message).toContain(parameter);
    });
  }
}
