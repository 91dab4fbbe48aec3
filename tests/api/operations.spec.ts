import { exampleOf } from "@/lib/platform/http/example";
import { kinds } from "@/lib/resources/kinds";
import { eachOf, expectError } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { everyOperation, examplePath, titleOf } from "../support/operations";

/** Guarantees for every operation in the registry, including future ones. */

const every = everyOperation.map(
  (operation) => [titleOf(operation), operation, examplePath(operation.path)] as const,
);
const withBody = every.filter(([, { body }]) => body);
/** With those whose body may only be empty. */
const reading = every.filter(
  ([, { method, body, rawBody, auth }]) =>
    body || (["POST", "PUT"].includes(method) && !rawBody && auth !== "ignored"),
);

test("Every operation refuses an unknown property and lists the known ones", async ({
  api,
  key,
}) => {
  await eachOf(reading, async ([_title, { method, body }, path]) => {
    for (const name of ["unexpected_property", "__proto__"]) {
      const response = await api(method, path, { key, raw: `{${JSON.stringify(name)}:1}` });
      expectError(response, 400, "unknown_param", name);
      for (const property of Object.keys(body?.shape ?? {})) {
        expect(response.body.error.message).toContain(property);
      }
    }
  });
});

test("Every operation names a required property that is absent", async ({ api, key }) => {
  await eachOf(withBody, async ([_title, { method, body }, path]) => {
    const example = Object(body && exampleOf(body));
    for (const [name, field] of Object.entries(body?.shape ?? {})) {
      if (field.safeParse(undefined).success) continue;
      const { [name]: _, ...rest } = example;
      const response = await api(method, path, { key, body: rest });
      expectError(response, 400, "missing_required_param", name);
    }
  });
});

test("Every operation refuses a body other than a JSON object", async ({ api, key }) => {
  await eachOf(reading, async ([_title, { method, body, bodyOptional }, path]) => {
    for (const raw of [...(bodyOptional || !body ? [] : [""]), "{", "[]", "null"]) {
      expectError(await api(method, path, { key, raw }), 400, "invalid_json");
    }
  });
});

test("Every operation refuses an unknown query parameter and lists the known ones, or accepts any", async ({
  api,
  key,
}) => {
  await eachOf(every, async ([_title, { method, anyQuery, query, errors }, path]) => {
    if (anyQuery) {
      const { status } = await api(method, path);
      expect((await api(method, `${path}?utm_source=x&%ff=%`)).status).toBe(status);
      return;
    }
    const response = await api(method, `${path}?unexpected=1`, { key });
    const code = errors.includes("invalid_request") ? "invalid_request" : "unknown_param";
    expectError(response, 400, code, "unexpected");
    for (const parameter of Object.keys(query?.shape ?? {})) {
      expect(response.body.error.message).toContain(parameter);
    }
  });
});

test("An external ID may be the name of a path below a resource", async ({ api, key }) => {
  const upserts = kinds.flatMap(({ name, first }) => {
    const below = new RegExp(`^/api/${name}/\\{id\\}/([\\w-]+)$`);
    const names = new Set(everyOperation.flatMap(({ path }) => below.exec(path)?.[1] ?? []));
    return [...names].map((one) => [`/api/${name}/external/${one}`, first.body] as const);
  });
  expect(upserts.length).toBeGreaterThan(20);
  await eachOf(upserts, async ([path, body]) => {
    const response = await api("PUT", path, { key, body: { ...body, external_id: "other" } });
    expectError(response, 400, "invalid_param", "external_id");
  });
});
