import { expect, test } from "playwright/test";
import { withPreviews } from "@/lib/resources/webhooks/events/lines";
import { bodyPreview, PREVIEW_BYTES } from "../../lib/platform/bodies/preview";
import { countTurns } from "../support/turns";

const PNG = Buffer.concat([
  Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
  Buffer.from([0, 0, 5, 160, 0, 0, 3, 132, 8]),
]);

test("A preview says what a body is about in one line", () => {
  const payment = {
    id: "evt_1",
    type: "payment.succeeded",
    data: { amount: 89.73, currency: "eur" },
  };
  const form = `--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nA\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="404.png"\r\n\r\n\xff`;
  const previews: [body: string | Buffer, words: string][] = [
    [JSON.stringify(payment), "payment.succeeded · 89.73 eur · id: evt_1"],
    [JSON.stringify(payment).slice(0, 60), "payment.succeeded · id: evt_1"],
    [
      '{"order": 1, "paid": true, "note": "two\\nlines"}',
      "order: 1 · paid: true · note: two lines",
    ],
    ['{"a": {}}', '{"a": {}}'],
    ["{}", "{}"],
    ["[1,\n 2]", "[1, 2]"],
    ["event=refund.created&amount=12.50&currency=eur", "refund.created · 12.50 eur"],
    ["first line\nsecond", "first line"],
    [" \n", "Only white space"],
    [PNG, "PNG 1440 × 900"],
    [Buffer.from(form, "latin1"), "form: title, file 404.png"],
    ["%PDF-1.7", "PDF"],
    [Buffer.from([0, 255, 1]), "Binary data"],
    [Buffer.from("é").subarray(0, 1), "Only white space"],
  ];
  for (const [body, words] of previews) expect(bodyPreview(Buffer.from(body))).toBe(words);
});

test("A hostile body costs no more than another", () => {
  for (const body of [
    '{"'.padEnd(PREVIEW_BYTES, "\\"),
    "{".repeat(400),
    `{"a":"${"😀".repeat(99)}`,
  ]) {
    expect([...bodyPreview(Buffer.from(body).subarray(0, PREVIEW_BYTES))].length).toBeLessThan(200);
  }
});

test("The previews of a long list let others be served in between", async () => {
  const start = Buffer.from(`{${'"":1,'.repeat(80)}`);
  const row = { start, size_bytes: start.length } as Parameters<typeof withPreviews>[0][number];
  const rows = Array.from({ length: 5000 }, () => row);
  const turns = await countTurns(async (count) => {
    expect(await withPreviews(rows)).toHaveLength(rows.length);
    return count();
  });
  expect(turns).toBeGreaterThan(1);
});
