import { createCipheriv, hkdfSync, randomBytes } from "node:crypto";
import { expect, test } from "playwright/test";
import { config } from "@/lib/platform/config/config";
import { HttpResponse } from "@/lib/platform/http/response";
import { sealResponse, unsealResponse } from "@/lib/platform/http/sealed-response";

const INPUT = { id: "record", key: "key" };
const RESPONSE = { status: 201, headers: { ETag: '"a"' }, body: '{"created_at":0,"n":1}' };

test("A sealed response is read only with its own key, unchanged", () => {
  const sealed = sealResponse(new HttpResponse(201, RESPONSE.headers, RESPONSE.body), INPUT, [
    "created_at",
  ]);
  expect(unsealResponse(sealed, INPUT, 7)).toEqual(
    new HttpResponse(201, RESPONSE.headers, '{"created_at":7,"n":1}'),
  );
  expect(() => unsealResponse(sealed, { ...INPUT, key: "other" }, 7)).toThrow();
  expect(() => unsealResponse(sealed, { ...INPUT, id: "other" }, 7)).toThrow();
  sealed[20] = (sealed[20] ?? 0) ^ 1;
  expect(() => unsealResponse(sealed, INPUT, 7)).toThrow();
});

test("The key is that of HKDF, so that all versions read it", () => {
  const key = hkdfSync("sha256", config().serverSecret, "record", "idempotency:key", 32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", new Uint8Array(key), nonce);
  const text = [cipher.update(JSON.stringify(RESPONSE), "utf8"), cipher.final()];
  const sealed = Buffer.concat([nonce, ...text, cipher.getAuthTag()]);
  expect(unsealResponse(sealed, INPUT, 0).body).toBe(RESPONSE.body);
});
