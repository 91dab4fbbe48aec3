import { fuzz } from "../fuzz/fuzz";
import { keysOf } from "../fuzz/keys";
import { expect, test } from "../support/fixtures";

test("Random chains of requests never cause a 5xx, and every response matches the OpenAPI document", async ({
  baseUrl,
  db,
}) => {
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`FUZZ_SEED=${seed}`);
  const report = await fuzz({ baseUrl, seed, seconds: 5, makeKeys: () => keysOf(db) });
  expect(report.failure).toBeNull();
  expect(report.requests).toBeGreaterThan(10);
});
