import { createHmac } from "node:crypto";
import { expect, test } from "playwright/test";
import { type SchemeName, schemes } from "@/lib/resources/webhooks/verification/contract";
import { schemeOf } from "@/lib/resources/webhooks/verification/schemes";
import { verify } from "@/lib/resources/webhooks/verification/verify";

/** A request with a signature that the provider has published. */
interface Example {
  source: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  header?: string;
  encoding?: "hex" | "base64";
  /** The signed time. */
  time?: number;
}

const STRIPE_BODY = `{
  "id": "evt_123",
  "object": "event",
  "account": "acct_123",
  "api_version": "2017-05-25",
  "created": 1533204620,
  "data": {
    "object": {
      "id": "cus_123",
      "object": "customer",
      "created": 123456789,
      "email": "test@stripe.com",
      "livemode": false,
      "metadata": {}
    }
  },
  "livemode": false,
  "pending_webhooks": 1,
  "request": {
    "id": "req_123",
    "idempotency_key": "idempotency-key-123"
  },
  "type": "customer.created"
}
`;

const EXAMPLES: Record<SchemeName, Example> = {
  github: {
    source: "docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries",
    secret: "It's a Secret to Everybody",
    headers: {
      "x-hub-signature-256":
        "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    },
    body: "Hello, World!",
  },
  stripe: {
    source: "github.com/stripe/stripe-dotnet, EventUtilityTest",
    secret: "webhook_secret",
    headers: {
      "stripe-signature":
        "t=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7,v0=63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef",
    },
    body: STRIPE_BODY,
    time: 1_533_204_620,
  },
  slack: {
    source: "docs.slack.dev/authentication/verifying-requests-from-slack",
    secret: "8f742231b10e8888abcd99yyyzzz85a5",
    headers: {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    },
    body: "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
    time: 1_531_420_618,
  },
  shopify: {
    source: "sql-page.com, sqlpage.hmac, as Shopify publishes no example with its secret",
    secret: "test-webhook-secret",
    headers: { "x-shopify-hmac-sha256": "QNyObTlKbMx2qDlPF/ZOZcBqg5OgPg+2oky3zldc0Gw=" },
    body: '{"id":1234567890,"email":"customer@example.com","total_price":"123.45"}',
  },
  standard_webhooks: {
    source: "github.com/standard-webhooks/standard-webhooks, spec and libraries",
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    headers: {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    },
    body: '{"test": 2432232314}',
    time: 1_614_265_330,
  },
  hmac: {
    source: "RFC 4231, test case 2",
    secret: "Jefe",
    headers: { "x-signature": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
    body: "what do ya want for nothing?",
    header: "x-signature",
  },
};

for (const scheme of schemes) {
  const example = EXAMPLES[scheme];
  test(`${scheme} verifies the published example of ${example.source}, and no other bytes`, () => {
    expect(check(scheme, example)).toMatchObject({ verified: true, reason: "signature_valid" });
    const changed = [
      { ...example, body: `${example.body} ` },
      { ...example, body: example.body.replace(/[a-z]/, "Z") },
      { ...example, secret: `${example.secret.slice(0, -1)}A` },
    ];
    for (const one of changed) {
      expect(check(scheme, one)).toEqual({ verified: false, reason: "signature_mismatch" });
    }
  });

  test(`${scheme} says what is wrong with a signature`, () => {
    const { header } = settingsOf(scheme, example);
    expect(check(scheme, { ...example, headers: {} })).toEqual({
      verified: false,
      reason: "signature_missing",
    });
    for (const bad of ["", "x", "v1=", "sha256=zz", "t=1", "v1,", `v1,${"A".repeat(42)}`]) {
      expect(check(scheme, { ...example, headers: { ...example.headers, [header]: bad } })).toEqual(
        { verified: false, reason: "signature_malformed" },
      );
    }
    expect(check(scheme, example, { isTruncated: true })).toEqual({
      verified: false,
      reason: "body_truncated",
    });
  });

  test(`${scheme} accepts one valid signature among others, in the case and order they come`, () => {
    const { header, encoding } = settingsOf(scheme, example);
    const value = example.headers[header] ?? "";
    const wrong = encoding === "hex" ? "0".repeat(64) : `${"A".repeat(43)}=`;
    const prefix = /^(sha256=|v0=|v1,)/.exec(value)?.[0] ?? (scheme === "stripe" ? "v1=" : "");
    const separator = scheme === "standard_webhooks" ? " " : ",";
    for (const joined of [
      `${value}${separator}${prefix}${wrong}`,
      `${prefix}${wrong}${separator}${value}`,
      `${prefix}${wrong}, ${value}`,
    ]) {
      const headers = { ...example.headers, [header]: joined };
      expect(check(scheme, { ...example, headers }).verified, joined).toBe(true);
    }
    if (encoding === "hex") {
      const upper = value.replaceAll(/[0-9a-f]{64}/g, (hex) => hex.toUpperCase());
      const headers = { ...example.headers, [header]: upper };
      expect(check(scheme, { ...example, headers }).verified).toBe(true);
    }
  });
}

test("A signed time bounds how long a signature is valid", () => {
  for (const scheme of ["stripe", "slack", "standard_webhooks"] as const) {
    const example = EXAMPLES[scheme];
    const time = example.time ?? 0;
    expect(check(scheme, example, { toleranceSeconds: 60 })).toMatchObject({
      from: time - 60,
      until: time + 60,
      late: "timestamp_out_of_tolerance",
    });
  }
  for (const scheme of ["github", "shopify", "hmac"] as const) {
    expect(check(scheme, EXAMPLES[scheme])).toMatchObject({ from: null, until: null });
  }
});

test("A time that is missing, malformed, repeated or replaced does not verify", () => {
  const { slack, stripe } = EXAMPLES;
  const slackAt = (time: string | undefined) => {
    const { "x-slack-signature": signature = "" } = slack.headers;
    const headers: Record<string, string> = { "x-slack-signature": signature };
    if (time !== undefined) headers["x-slack-request-timestamp"] = time;
    return check("slack", { ...slack, headers });
  };
  expect(slackAt(undefined)).toEqual({ verified: false, reason: "timestamp_missing" });
  for (const bad of ["", "now", "-1", "1e9", "1531420618.0", "9".repeat(20)]) {
    expect(slackAt(bad)).toEqual({ verified: false, reason: "timestamp_malformed" });
  }
  expect(slackAt("1531420619")).toEqual({ verified: false, reason: "signature_mismatch" });

  const value = stripe.headers["stripe-signature"] ?? "";
  const later = { "stripe-signature": `t=1933204620,${value}` };
  expect(check("stripe", { ...stripe, headers: later })).toEqual({
    verified: false,
    reason: "timestamp_missing",
  });
});

test("Two secrets are valid at once, the previous one until its end", () => {
  const { github, stripe } = EXAMPLES;
  const secrets = [
    { secret: "The new secret", until: null },
    { secret: github.secret, until: 5000 },
  ];
  const scheme = schemeOf({ scheme: "github", header: null, encoding: null });
  const verifier = { scheme, toleranceSeconds: 0, secrets };
  expect(verify(verifier, requestOf(github))).toMatchObject({
    verified: true,
    until: 5000,
    late: "signature_mismatch",
  });
  const renewed = `sha256=${createHmac("sha256", "The new secret").update(github.body).digest("hex")}`;
  const headers = { "x-hub-signature-256": renewed };
  expect(verify(verifier, requestOf({ ...github, headers }))).toMatchObject({
    verified: true,
    until: null,
  });

  // Of the two ends, the earlier one counts.
  const timed = schemeOf({ scheme: "stripe", header: null, encoding: null });
  const ends = [1_533_204_630, 1_633_204_620].map((until) =>
    verify(
      { scheme: timed, toleranceSeconds: 300, secrets: [{ secret: stripe.secret, until }] },
      requestOf(stripe),
    ),
  );
  expect(ends).toMatchObject([
    { until: 1_533_204_630, late: "signature_mismatch" },
    { until: 1_533_204_920, late: "timestamp_out_of_tolerance" },
  ]);
});

test("A secret that cannot be read fails the check instead of passing it", () => {
  const scheme = schemeOf({ scheme: "github", header: null, encoding: null });
  const verifier = { scheme, toleranceSeconds: 0, secrets: [{ secret: undefined, until: null }] };
  expect(verify(verifier, requestOf(EXAMPLES.github))).toEqual({
    verified: false,
    reason: "secret_unreadable",
  });
});

test("hmac reads hex and base64, standard or URL-safe, with and without a prefix", () => {
  const body = "A body";
  const bytes = createHmac("sha256", "secret").update(body).digest();
  const forms = [
    ["hex", bytes.toString("hex")],
    ["hex", `sha256=${bytes.toString("hex")}`],
    ["base64", bytes.toString("base64")],
    ["base64", bytes.toString("base64url")],
    ["base64", `sha256=${bytes.toString("base64")}`],
  ] as const;
  for (const [encoding, value] of forms) {
    const example = { ...EXAMPLES.hmac, secret: "secret", body, encoding };
    const headers = { "x-signature": value };
    expect(check("hmac", { ...example, headers }).verified, value).toBe(true);
  }
});

function settingsOf(scheme: SchemeName, { header, encoding }: Example) {
  return schemeOf({ scheme, header: header ?? null, encoding: encoding ?? null });
}

function check(
  name: SchemeName,
  example: Example,
  { toleranceSeconds = 300, isTruncated = false } = {},
) {
  const scheme = settingsOf(name, example);
  const secrets = [{ secret: example.secret, until: null }];
  return verify({ scheme, toleranceSeconds, secrets }, { ...requestOf(example), isTruncated });
}

/** The body arrives in chunks. */
function requestOf({ headers, body }: Pick<Example, "headers" | "body">) {
  const bytes = Buffer.from(body);
  return {
    header: (name: string) => headers[name] ?? null,
    body: [bytes.subarray(0, 7), bytes.subarray(7)],
    isTruncated: false,
  };
}
