import { eachOf, expectError } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { everyOperation, examplePath, titleOf } from "../support/operations";

/** Guarantees for every operation in the registry, including future ones. */

const every = everyOperation.map(
  (operation) => [titleOf(operation), operation, examplePath(operation.path)] as const,
);
const withBody = every.filter(([, { body }]) => body);

test("Every operation refuses an unknown property and lists the known ones", async ({
  api,
  key,
}) => {
  await eachOf(withBody, async ([_title, { method, body }, path]) => {
    for (const name of ["unexpected_property", "__proto__"]) {
      const response = await api(method, path, { key, raw: `{${JSON.stringify(name)}:1}` });
      expectError(response, 400, "unknown_param", name);
      for (const property of Object.keys(body?.shape ?? {})) {
        expect(response.body.error.message).toContain(property);
      }
    }
  });
});

test("Every operation refuses a body other than a JSON object", async ({ api, key }) => {
  await eachOf(withBody, async ([_title, { method, bodyOptional }, path]) => {
    for (const raw of [...(bodyOptional ? [] : [""]), "{", "[]", "null"]) {
      expectError(await api(method, path, { key, raw }), 400, "invalid_json");
    }
  });
});

test("Every operation refuses an unknown query parameter and lists the known ones, or accepts any", async ({
  api,
  key,
}) => {
  await eachOf(every, async ([_title, { method, anyQuery, query }, path]) => {
    if (anyQuery) {
      const { status } = await api(method, path);
      expect((await api(method, `${path}?utm_source=x&%ff=%`)).status).toBe(status);
      return;
    }
    const response = await api(method, `${path}?unexpected=1`, { key });
    expectError(response, 400, "unknown_param", "unexpected");
    for (const parameter of Object.keys(query?.shape ?? {})) {
      expect(response.body.error.message).toContain(parameter);
    }
  });
});
