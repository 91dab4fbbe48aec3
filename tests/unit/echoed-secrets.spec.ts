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
