import { expect, test } from "playwright/test";
import { newApiKey } from "@/lib/identity/keys/key-format";
import { config } from "@/lib/platform/config/config";
import { recordedHeaders } from "@/lib/platform/http/recorded-headers";

const TOKEN = "a1".repeat(16);
const SESSION = "x".repeat(43);

/** The headers as the owner of the resource reads them. */
function recorded(...headers: [string, string][]): Record<string, string> {
  const request = { headers: Object.assign(headers, { get: () => null }) };
  return JSON.parse(recordedHeaders(request).whole);
}

test("A key with any characters that an operator may choose is removed whole", () => {
  for (const chosen of [
    TOKEN,
    "3f2c-".repeat(8),
    "short-1234/5678+90ab",
    "!\"#$%&'()*+,-./:;<=>?@[]^_`",
  ]) {
    const key = `svc_live_${chosen}`;
    for (const written of [`Bearer ${key}`, `Bearer%20${key}`, `{"key":"${key}"}`, `${key}, b`]) {
      const value = recorded(["x-forward", written])["x-forward"] ?? "";
      expect(value, written).toContain("[redacted]");
      expect(value, written).not.toContain(chosen.slice(-5));
    }
  }
});

test("What stands beside a key stays", () => {
  const key = `svc_live_${TOKEN}`;
  expect(recorded(["x-key", key], ["x-key", "b"])).toEqual({ "x-key": "[redacted], b" });
  expect(recorded(["x-key", `svc_at_${TOKEN}", "b"`])).toEqual({ "x-key": '[redacted]", "b"' });
  expect(recorded(["cookie", `a=${key}; b=1`])).toEqual({ cookie: "a=[redacted]; b=1" });
  const json = (text: string) => `{"key":"${text}","b":1}`;
  expect(recorded(["x-json", json(newApiKey())])).toEqual({ "x-json": json("[redacted]") });
});

test("Of BOOTSTRAP_API_KEY nothing but the key is removed, whatever its characters", () => {
  const key = 'svc_live_"of",my{own}choice-0001';
  const { bootstrapApiKey } = config();
  Object.assign(config(), { bootstrapApiKey: key });
  const value = recorded(["x-key", `key=${key}","b":1`])["x-key"];
  Object.assign(config(), { bootstrapApiKey });
  expect(value).toBe('key=[redacted]","b":1');
});

test("A session behind a key is removed", () => {
  const cookie = recorded(["cookie", `a=svc_live_${TOKEN};session=${SESSION}`]).cookie;
  expect(cookie).toContain("[redacted]");
  expect(cookie).not.toContain(SESSION);
  const spaced = recorded(["cookie", `a=svc_live_${TOKEN};b=1; session=${SESSION}`]).cookie;
  expect(spaced).toBe("a=[redacted]; session=[redacted]");
});
