import { generateKeyPairSync, sign } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { createClient, SignatureError, verifySignature } from "@/packages/client/src/index";
import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { startFlakyProxy } from "../support/flaky-proxy";
import { startTarget } from "../support/target";
import { arrivals } from "../support/webhooks";

/** verifySignature, with real deliveries and with forged ones. */

const now = () => Math.floor(Date.now() / 1000);

/** A key pair like the service's, and requests signed with it. */
function makeSigner() {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = Buffer.from(String(publicKey.export({ format: "jwk" }).x), "base64url");
  return {
    publicKey: `whpk_${raw.toString("base64")}`,
    signatureOf: (content: string) =>
      `v1a,${sign(null, Buffer.from(content), privateKey).toString("base64")}`,
    headersFor(id: string, timestamp: number | string, body: string): Record<string, string> {
      return {
        "webhook-id": id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": this.signatureOf(`${id}.${timestamp}.${body}`),
      };
    },
  };
}

const service = makeSigner();
const verify = (headers: Record<string, string | string[]>, body = "body") =>
  verifySignature({ headers, body }, [service.publicKey]);

test("A delivery of the server verifies, with text, bytes and without a body; changed in any part it does not", async ({
  api,
  baseUrl,
  key,
  organization,
}) => {
  const target = await startTarget();
  const client = createClient({ baseUrl });
  const sender = createClient({ baseUrl, apiKey: key });
  const of = { organization: organization.id };
  const sent = ['{"text":"é"}\r\n', null];
  for (const body of sent) {
    await sender.POST("/api/messages", {
      body: { url: target.url, delay_seconds: 0, ...(body !== null && { body }) },
    });
  }
  for (const { headers, body } of await arrivals(api, target, sent.length)) {
    const bytes = new Uint8Array(body);
    const verified = await client.verifySignature({ headers: known(headers), body: bytes }, of);
    expect(verified).toEqual({
      id: headers["webhook-id"],
      timestamp: Number(headers["webhook-timestamp"]),
    });
    await client.verifySignature(
      { headers: new Headers(known(headers)), body: body.toString("utf8") },
      of,
    );
    for (const change of [
      { headers: { ...known(headers), "webhook-id": "msg_other" }, body: bytes },
      {
        headers: {
          ...known(headers),
          "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1),
        },
        body: bytes,
      },
      { headers: known(headers), body: new Uint8Array([...bytes, 0]) },
    ]) {
      await expect(client.verifySignature(change, of)).rejects.toBeInstanceOf(SignatureError);
    }
  }
  await target.stop();
});

test("Another organization's delivery, and one without an owner, do not verify", async ({
  api,
  baseUrl,
  organization,
  otherOrganization,
}) => {
  const target = await startTarget();
  const client = createClient({ baseUrl });
  const forgeries = [{ key: otherOrganization.key }, {}];
  for (const caller of [{ key: organization.key }, ...forgeries]) {
    const headers = { "Subscription-Id": "sub_1", "Schedule-Id": "sch_1" };
    const body = { url: target.url, headers, body: '{"paid":true}', delay_seconds: 0 };
    expectStatus(await api("POST", "/api/messages", { ...caller, body }), 201);
    await arrivals(api, target, target.received.length + 1);
  }
  const [own, ...forged] = target.received.map(({ headers, body }) => ({
    headers: known(headers),
    body: new Uint8Array(body),
  }));
  if (!own) throw new Error("Nothing arrived.");
  const of = { organization: organization.id };
  const keysOf = async (query: string) => {
    const { text } = await api("GET", `/.well-known/webhook-signing-keys.json${query}`);
    const { keys } = JSON.parse(text) as { keys: { public_key: string }[] };
    return keys.map((one) => one.public_key);
  };
  const keys = await keysOf(`?organization=${organization.id}`);
  await client.verifySignature(own, of);
  await verifySignature(own, keys);
  for (const delivery of forged) {
    await expect(client.verifySignature(delivery, of)).rejects.toBeInstanceOf(SignatureError);
    await expect(verifySignature(delivery, keys)).rejects.toBeInstanceOf(SignatureError);
  }
  const [, ownerless = own] = forged;
  await verifySignature(ownerless, await keysOf(""));
  for (const organization of ["", undefined as unknown as string]) {
    await expect(client.verifySignature(own, { organization })).rejects.toThrow("organization");
  }
  const unknown = client.verifySignature(own, { organization: "org_unknown" });
  await expect(unknown).rejects.toMatchObject({ status: 404 });
  await target.stop();
});

/** Those that a delivery always has, as Node gives them. */
function known(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith("webhook-")),
  ) as Record<string, string>;
}

test("A delivery outside the tolerance is refused, whichever way the clock is wrong", async () => {
  for (const [offset, verifies] of [
    [-290, true],
    [290, true],
    [-310, false],
    [310, false],
  ] as const) {
    const result = verify(service.headersFor("msg_1", now() + offset, "body"));
    if (verifies) expect(await result).toMatchObject({ id: "msg_1" });
    else await expect(result, String(offset)).rejects.toThrow("too old");
  }
  const old = service.headersFor("msg_1", now() - 4000, "body");
  const options = { toleranceSeconds: 5000 };
  await verifySignature({ headers: old, body: "body" }, [service.publicKey], options);
  const never = { toleranceSeconds: Number.NaN };
  await expect(
    verifySignature({ headers: old, body: "body" }, [service.publicKey], never),
  ).rejects.toBeInstanceOf(SignatureError);
});

test("Forged and malformed signatures are refused with a SignatureError", async () => {
  const stranger = makeSigner();
  const good = service.headersFor("msg_1", now(), "body");
  await verify(good);
  const signature = String(good["webhook-signature"]);
  const without = (name: string) =>
    Object.fromEntries(Object.entries(good).filter(([known]) => known !== name));
  // A signed body that begins with a time would be the end of the ID and a body of its own.
  const shifted = `${now()}.rest`;
  const moved = {
    ...service.headersFor("msg_1.1000000000", now(), "rest"),
    "webhook-signature": service.signatureOf(`msg_1.1000000000.${shifted}`),
  };
  const forged: Array<[string, Record<string, string | string[]>, string?]> = [
    ["a stranger's key", stranger.headersFor("msg_1", now(), "body")],
    ["no ID", without("webhook-id")],
    ["no time", without("webhook-timestamp")],
    ["no signature", without("webhook-signature")],
    ["two IDs", { ...good, "webhook-id": ["msg_1", "msg_2"] }],
    ["two spellings", { ...good, "Webhook-Id": "msg_2" }],
    ["another version", { ...good, "webhook-signature": signature.replace("v1a", "v1") }],
    ["a shorter one", { ...good, "webhook-signature": `${signature.slice(0, -4)}==` }],
    ["not base64", { ...good, "webhook-signature": "v1a,%%%" }],
    ["too many", { ...good, "webhook-signature": Array(11).fill(signature).join(" ") }],
    ["a very long one", { ...good, "webhook-signature": `${"x".repeat(100_000)} ${signature}` }],
    ["a time with a fraction", service.headersFor("msg_1", `${now()}.5`, "body")],
    ["a time in hexadecimal", service.headersFor("msg_1", `0x${now().toString(16)}`, "body")],
    ["a moved boundary", moved, "rest"],
  ];
  for (const [what, headers, body] of forged) {
    await expect(verify(headers, body), what).rejects.toBeInstanceOf(SignatureError);
  }
  await verify({ ...good, "webhook-signature": `v1,x ${stranger.signatureOf("x")} ${signature}` });
  await verify(Object.fromEntries(Object.entries(good).map(([n, v]) => [n.toUpperCase(), v])));
  const parsed = { headers: good, body: { a: 1 } as unknown as string };
  await expect(verifySignature(parsed, [service.publicKey])).rejects.toThrow("bytes that arrived");
  for (const wrong of ["whpk_", "whsec_x", service.publicKey.slice(0, -2)]) {
    const request = { headers: good, body: "body" };
    await expect(verifySignature(request, [wrong])).rejects.toBeInstanceOf(TypeError);
  }
});

test("While the keys cannot be fetched, those that are known go on, and forgeries ask once a minute", async () => {
  const keys = [{ public_key: service.publicKey, organization_id: "org_1" }];
  const proxy = await startFlakyProxy("", (_, number) =>
    number === 0 ? { status: 200, body: JSON.stringify({ keys }) } : "refuse",
  );
  const client = createClient({ baseUrl: proxy.url, maxRetries: 0 });
  const outcomes: string[] = [];
  for (const [signer, seconds] of [
    [service, 0],
    [makeSigner(), 61],
    [service, 62],
    [makeSigner(), 63],
    [service, 3700],
  ] as const) {
    const headers = signer.headersFor("msg_1", now(), "body");
    const verified = later(seconds, () =>
      client.verifySignature({ headers, body: "body" }, { organization: "org_1" }),
    );
    outcomes.push(
      await verified.then(
        ({ id }) => id,
        ({ name }) => name,
      ),
    );
  }
  const refused = "ConnectionError";
  expect(outcomes).toEqual(["msg_1", refused, "msg_1", refused, "msg_1"]);
  expect(proxy.received).toHaveLength(3);
  await proxy.stop();
});

/** Runs the work as if these seconds had passed. */
async function later<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  const elapsed = performance.now;
  performance.now = () => elapsed.call(performance) + seconds * 1000;
  try {
    return await work();
  } finally {
    performance.now = elapsed;
  }
}

test("The client asks for the keys once, however many forged signatures it gets", async () => {
  const stranger = makeSigner();
  const proxy = await startFlakyProxy("", () => ({
    status: 200,
    body: JSON.stringify({
      keys: [
        { public_key: service.publicKey, organization_id: "org_1" },
        { public_key: stranger.publicKey, organization_id: null },
      ],
    }),
  }));
  const client = createClient({ baseUrl: proxy.url });
  const good = service.headersFor("msg_1", now(), "body");
  for (let round = 0; round < 3; round++) {
    await client.verifySignature({ headers: good, body: "body" }, { organization: "org_1" });
    const forged = stranger.headersFor("msg_1", now(), "body");
    await expect(
      client.verifySignature({ headers: forged, body: "body" }, { organization: "org_1" }),
    ).rejects.toBeInstanceOf(SignatureError);
  }
  expect(proxy.received.map(({ path }) => path)).toEqual([
    "/.well-known/webhook-signing-keys.json?organization=org_1",
  ]);
  await proxy.stop();
});
