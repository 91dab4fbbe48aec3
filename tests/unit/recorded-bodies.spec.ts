import { expect, test } from "playwright/test";
import { toJson } from "@/lib/platform/http/json-text";
import { recordedBody } from "@/lib/platform/http/recorded-body";
import { isMatch, payloadOf } from "@/lib/resources/subscriptions/events/webhook-received";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import { countTurns } from "../support/turns";

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

test("A long body is parsed if it is verified and has few values", async () => {
  const body = JSON.stringify({ action: "opened", more: Array.from({ length: 40_000 }, () => 0) });
  const matches = (event: object) => isMatch({ ...LONG, ...event }, CONDITIONS);
  expect(await matches({})).toBe(true);
  expect(await matches({ verified: null })).toBe(false);
  expect(await matches({ body })).toBe(false);
});

test("Each long body is parsed in a turn of its own", async () => {
  const seen = await countTurns((turns) =>
    Promise.all(
      [1, 2, 3].map(async () => {
        await isMatch(LONG, CONDITIONS);
        return turns();
      }),
    ),
  );
  expect(new Set(seen).size).toBe(3);
});

test("Each long body is cut to what fits, in a turn of its own", async () => {
  const body = "\u0001".repeat(33_000) + "x".repeat(900_000);
  const event = { ...LONG, body } as unknown as WebhookEvent;
  const cuts = await countTurns((turns) =>
    Promise.all(
      [1, 2, 3].map(async () => {
        const data = await payloadOf(event);
        return { ...data, turn: turns() };
      }),
    ),
  );
  expect(new Set(cuts.map(({ turn }) => turn)).size).toBe(3);
  const [{ body: shown, body_cut } = {}] = cuts;
  expect({ shown, body_cut }).toEqual({ shown: body.slice(0, 35_000), body_cut: true });
  expect(await payloadOf({ ...event, body: null })).toMatchObject({ body: null, body_cut: false });
});
