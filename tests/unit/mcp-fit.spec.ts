import { expect, test } from "playwright/test";
import { fit, RESULT_CHARACTERS_MAX, toolContent } from "@/lib/api/mcp/fit";

const SCHEMA = {
  type: "object",
  properties: {
    data: { type: "array", items: { type: "object", properties: { id: {}, value: {} } } },
    has_more: { type: "boolean" },
    next_cursor: { type: "string" },
  },
} as const;

test("A long list keeps as many items as fit, and is measured only a few times", () => {
  let measured = 0;
  const value = { toJSON: () => "x".repeat(150) };
  const first = {
    toJSON() {
      measured += 1;
      return value.toJSON();
    },
  };
  const items = Array.from({ length: 1000 }, (_, n) => ({ id: `tsk_${n}`, value }));
  const data = items.map((item, n) => (n === 0 ? { ...item, value: first } : item));
  const shown = fit({ data, has_more: false, next_cursor: null }, SCHEMA, { offset: 0 });
  expect(measured).toBeLessThan(200);
  const sizeOf = (json: Record<string, unknown>) => JSON.stringify(toolContent(json)).length;
  const kept = data.slice(0, Object(shown.data).length);
  expect(shown).toMatchObject({ has_more: true, next_cursor: kept.at(-1)?.id });
  expect(JSON.stringify(shown.data)).toBe(JSON.stringify(kept));
  const size = sizeOf(shown);
  expect(size).toBeLessThanOrEqual(RESULT_CHARACTERS_MAX - 500);
  expect(size + sizeOf({ value })).toBeGreaterThan(RESULT_CHARACTERS_MAX - 500);
});

test("A long array is cut without a list of its keys", () => {
  let listed = 0;
  const long = new Proxy(Array(500_000).fill(1), {
    ownKeys(target) {
      listed += 1;
      return Reflect.ownKeys(target);
    },
  });
  const data = Array.from({ length: 4 }, (_, n) => ({ id: `wev_${n}`, value: long }));
  const shown = fit({ data, has_more: false, next_cursor: null }, SCHEMA, { offset: 0 });
  expect(listed).toBe(0);
  expect(Object(shown.cut)[0]).toMatch(/^data\.0\.value: \d+ of 500000 items$/);
});
