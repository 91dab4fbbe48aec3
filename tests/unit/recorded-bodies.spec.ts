import { expect, test } from "playwright/test";
import { toJson } from "@/lib/platform/http/json-text";
import { recordedBody } from "@/lib/platform/http/recorded-body";
import { isMatch } from "@/lib/resources/subscriptions/events/webhook-received";

/** Bodies that strangers sent do not delay others, whatever their shape. */

test("A JSON body is embedded as it was sent, without being parsed", () => {
  for (const json of ['{"a": 1.0, "a": 12345678901234567890}', " [\n]", '"x"']) {
    const { parsed_body } = recordedBody(Buffer.from(`\uFEFF${json}`), "application/json");
    expect(toJson({ parsed_body })).toBe(`{"parsed_body":${json}}`);
  }
});

const LONG = {
  headers: {},
  body: JSON.stringify({ action: "opened", more: "x".repeat(70_000) }),
  body_encoding: "utf8",
  body_truncated: false,
  verified: true,
} as const;
const CONDITIONS = { "$.action": "opened" };

test("A long body of a public endpoint is not parsed, although it is verified", async () => {
  const matches = (organization_id: string | null) =>
    isMatch({ ...LONG, organization_id }, CONDITIONS);
  expect([await matches("org_1"), await matches(null)]).toEqual([true, false]);
});

test("Each long body is parsed in a turn of its own", async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const seen = await Promise.all(
    [1, 2, 3].map(async () => {
      await isMatch({ ...LONG, organization_id: "org_1" }, CONDITIONS);
      return turns;
    }),
  );
  isOver = true;
  expect(new Set(seen).size).toBe(3);
});
