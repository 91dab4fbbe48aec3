import { expect, test } from "playwright/test";
import { outcomeOfResponse } from "@/lib/resources/messages/outcome";

/** What a target echoes, and a forward's header of which nothing may be shown. */
const ECHOES: [what: string, added: [string, string][], echo: string, secret: string][] = [
  [
    "a secret that contains another",
    [
      ["X-Key-Id", "AKIA12345678"],
      ["Authorization", "AWS AKIA12345678:s3cr3tsignature"],
    ],
    "AWS AKIA12345678:s3cr3tsignature",
    "s3cr3tsignature",
  ],
  [
    "a secret in quotes, as JSON",
    [["Authorization", 'Token token="SECRETSECRET"']],
    JSON.stringify({ authorization: 'Token token="SECRETSECRET"' }),
    "SECRETSECRET",
  ],
  [
    "a secret with quotes, as JSON",
    [["X-Secret", 'a"b"c"d"e"f']],
    String.raw`a\"b\"c\"d\"e\"f`,
    "e",
  ],
];

for (const [what, added, echo, secret] of ECHOES) {
  test(`Nothing is shown of ${what}, if a target echoes it`, () => {
    const body = Buffer.from(echo);
    const response = { status: 400, headers: {}, body, permission: "public" } as const;
    const { responseBody } = outcomeOfResponse(response, added);
    expect(responseBody).toContain("[redacted]");
    expect(responseBody?.replaceAll("[redacted]", "")).not.toContain(secret);
  });
}

test("Hundreds of secrets are searched for once each in the headers of a response, however many there are", () => {
  const secrets = Array.from({ length: 400 }, (_, n) => `secret-${n % 200}-${n % 200}`);
  const names = Array.from({ length: 300 }, (_, n) => `x-${n}`);
  const headers = Object.fromEntries(names.map((name, n) => [name, `echo of ${secrets[n]}`]));
  const { replaceAll } = String.prototype;
  let searches = 0;
  const response = { status: 200, headers, body: Buffer.from("x"), permission: "public" } as const;
  String.prototype.replaceAll = function (this: string, ...args: [string | RegExp, never]) {
    searches += 1;
    return replaceAll.apply(this, args);
  };
  const added: [string, string][] = [["X-Keys", secrets.join(" ")]];
  const shown = (() => {
    try {
      return outcomeOfResponse(response, added).responseHeaders;
    } finally {
      String.prototype.replaceAll = replaceAll;
    }
  })();
  expect(shown).toEqual(Object.fromEntries(names.map((name) => [name, "echo of [redacted]"])));
  expect(searches).toBeLessThan(3 * new Set(secrets).size);
});
