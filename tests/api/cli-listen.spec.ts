import { createHmac, randomBytes } from "node:crypto";
import { expect, type RunningCommand, test } from "../support/cli";
import { expectStatus, missing } from "../support/expectations";
import { exchange } from "../support/http";
import { freePort } from "../support/servers";
import { type Received, startTarget } from "../support/target";
import { startTcpProxy } from "../support/tcp-proxy";
import { allEvents, capture, makeEndpoint } from "../support/webhooks";

/** `agent-infra listen`, as a process, against a real server and a real target. */

test("The connection is cut eight times while 200 events arrive: each is forwarded once, in order", async ({
  api,
  baseUrl,
  cli,
}) => {
  const { id } = await makeEndpoint(api, { max_events: 1000 });
  const target = await startTarget();
  const proxy = await startTcpProxy(baseUrl);
  const listening = cli.start(["listen", id, "--to", target.url, "--url", proxy.url, "--json"]);
  await untilListening(listening);

  for (let before = 0; before < 200; before += 25) {
    const sending = Array.from({ length: 25 }, () => capture(api, id, { raw: randomBytes(8) }));
    await expect.poll(() => target.received.length, { intervals: [5] }).toBeGreaterThan(before);
    proxy.cut();
    proxy.mend();
    await Promise.all(sending);
  }

  await expect.poll(() => target.received.length).toBe(200);
  listening.child.kill("SIGINT");
  const { code, stderr } = await listening.ended;
  expect(code).toBe(0);
  expect(stderr.match(/The connection broke/g)).toHaveLength(8);
  const captured = await allEvents(api, id, { since: "wev_0" });
  expect(target.received.map(({ body }) => body.toString("base64"))).toEqual(
    captured.map(({ body, body_encoding }) =>
      Buffer.from(body ?? "", body_encoding ?? "utf8").toString("base64"),
    ),
  );
  await Promise.all([proxy.close(), target.stop()]);
});

test("A GitHub-style delivery verifies at the target, with its path, query and headers", async ({
  api,
  cli,
}) => {
  const { id } = await makeEndpoint(api);
  const target = await startTarget();
  const listening = cli.start(["listen", id, "--to", `${target.url}/hook?from=cli`, "--json"]);
  await untilListening(listening);
  const sent = await cli.run([
    ...["trigger", id, "--sample", "github", "--secret", "s3cret"],
    ...["--path", "/push?try=1", "--header", `X-Long: ${"a".repeat(10_000)}`, "--json"],
  ]);
  expect(sent).toMatchObject({ code: 0, stderr: "" });
  await expect.poll(() => target.received.length).toBe(1);
  const [{ method, path, headers, body } = missing()] = target.received;
  expect({ method, path }).toEqual({ method: "POST", path: "/hook/push?from=cli&try=1" });
  expect(headers).toMatchObject({
    host: new URL(target.url).host,
    "content-type": "application/json",
    "content-length": String(body.length),
    "x-github-event": "push",
    "x-hub-signature-256": `sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`,
    "x-long": "a".repeat(10_000),
  });
  await expect
    .poll(() => listening.values().at(-1))
    .toMatchObject({
      object: "forwarded_event",
      event_id: JSON.parse(sent.stdout).event_id,
      method: "POST",
      path: "/hook/push?from=cli&try=1",
      status: 200,
      error: null,
    });
  await target.stop();
});

test("Bodies arrive byte for byte: a megabyte of NULs, bytes that are not UTF-8, a byte order mark, none", async ({
  api,
  cli,
}) => {
  const bodies = [
    Buffer.alloc(1_000_000),
    Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    Buffer.from("\ufeff{}"),
    Buffer.alloc(0),
  ];
  const { id } = await makeEndpoint(api);
  for (const raw of bodies) await capture(api, id, { raw });
  const target = await startTarget();
  cli.start(["listen", id, "--to", target.url, "--since", "wev_0"]);
  await expect.poll(() => target.received.length).toBe(4);
  expect(target.received.map(({ body }, index) => body.equals(bodies[index] ?? missing()))).toEqual(
    [true, true, true, true],
  );
  await target.stop();
});

test("Headers of the sender's connection, and headers that were not recorded, are not forwarded", async ({
  api,
  cli,
}) => {
  const { id } = await makeEndpoint(api);
  const headers = {
    connection: "close, x-hop",
    "x-hop": "1",
    te: "trailers",
    authorization: "Bearer secret",
    "x-ours": `Bearer svc_live_${"0".repeat(38)}`,
    "x-kept": "1",
  };
  await capture(api, id, { raw: "x", headers });
  const target = await startTarget();
  cli.start(["listen", id, "--to", target.url, "--since", "wev_0"]);
  await expect.poll(() => target.received.length).toBe(1);
  const received = target.received[0]?.headers ?? missing();
  expect(received["x-kept"]).toBe("1");
  expect(Object.keys(received)).not.toContain("x-hop");
  expect(Object.keys(received)).not.toContain("te");
  expect(Object.keys(received)).not.toContain("authorization");
  expect(Object.keys(received)).not.toContain("x-ours");
  await target.stop();
});

test("While the target is down, events wait; then each is forwarded once, in order", async ({
  api,
  cli,
}) => {
  const { id } = await makeEndpoint(api);
  const port = await freePort();
  for (const raw of ["1", "2", "3"]) await capture(api, id, { raw });
  const words = ["listen", id, "--to", `${port}/hook`, "--since", "wev_0", "--json"];
  const listening = cli.start(words);
  await expect.poll(listening.stderr).toContain("connection refused");
  const target = await startTarget((response) => void response.writeHead(500).end(), port);
  await expect.poll(() => bodiesOf(target.received)).toEqual(["1", "2", "3"]);
  expect(target.received[0]?.path).toBe("/hook");
  await expect
    .poll(() => listening.values().slice(1))
    .toMatchObject([{ status: 500 }, { status: 500 }, { status: 500 }]);
  await target.stop();
});

test("A target that does not answer in time, or hangs up, is reported, and the next event follows", async ({
  api,
  cli,
}) => {
  const { id } = await makeEndpoint(api);
  const target = await startTarget((response, { body }, request) => {
    if (body.toString() === "gone") request.socket.destroy();
    if (body.toString() === "next") response.end();
  });
  const listen = (since: string, ...rest: string[]) =>
    cli.start(["listen", id, "--to", target.url, "--since", since, "--json", ...rest]);
  await capture(api, id, { raw: "late" });
  const last = await capture(api, id, { raw: "later" });
  const impatient = listen("wev_0", "--timeout", "1s");
  const late = { status: null, error: "no response within 1 s" };
  await expect.poll(() => impatient.values().slice(1)).toMatchObject([late, late]);
  impatient.child.kill("SIGINT");
  await impatient.ended;

  for (const raw of ["gone", "next"]) await capture(api, id, { raw });
  const listening = listen(last);
  await expect
    .poll(() => listening.values().slice(1))
    .toMatchObject([
      { status: null, error: "the connection was closed without an answer" },
      { status: 200, error: null },
    ]);
  expect(bodiesOf(target.received)).toEqual(["late", "later", "gone", "next"]);
  await target.stop();
});

test("Ctrl-C finishes the event in hand and says how to continue, at the same service; --since loses nothing", async ({
  api,
  baseUrl,
  cli,
}) => {
  const { id } = await makeEndpoint(api);
  for (const raw of ["1", "2"]) await capture(api, id, { raw });
  let respond = () => {};
  const target = await startTarget((response) => {
    respond = () => response.end();
  });
  const environment = { AGENT_INFRA_URL: "http://127.0.0.1:9" };
  const words = ["listen", id, "--url", baseUrl, "--to", target.url, "--timeout", "1m"];
  const first = cli.start([...words, "--since", "wev_0", "--json"], { environment });
  await expect.poll(() => target.received.length).toBe(1);
  first.child.kill("SIGINT");
  await expect.poll(first.stderr).toContain("Stopping");
  expect(first.child.exitCode).toBeNull();
  respond();
  expect(await first.ended).toMatchObject({ code: 0 });
  const [, forwarded, result = missing()] = first.values();
  expect(forwarded).toMatchObject({ object: "forwarded_event", status: 200 });
  expect(result).toMatchObject({ object: "listen_result", events: 1, since: forwarded?.event_id });

  const continued = String(result.continue_with).split(" ").slice(1);
  expect(continued.join(" ")).toContain(" --timeout 60s ");
  cli.start(continued, { environment });
  await expect.poll(() => bodiesOf(target.received)).toEqual(["1", "2"]);
  await target.stop();
});

test("When its key is revoked, it says how to continue and exits with 3", async ({
  api,
  cli,
  key,
}) => {
  const { id } = await makeEndpoint(api, { key });
  const environment = { AGENT_INFRA_KEY: key };
  const listening = cli.start(["listen", id, "--json"], { environment });
  await untilListening(listening);
  expectStatus(await api("DELETE", "/api/me/key", { key }), 204);
  expect(await listening.ended).toMatchObject({ code: 3 });
  expect(listening.values().slice(1)).toMatchObject([
    { object: "listen_result", since: "wev_0" },
    { error: { code: "invalid_api_key" } },
  ]);
});

test("Without an endpoint, listen creates one and forwards its events", async ({ api, cli }) => {
  const target = await startTarget();
  const listening = cli.start(["listen", "--to", target.url, "--json"]);
  await untilListening(listening);
  const [endpoint] = listening.values();
  expect(endpoint).toMatchObject({ object: "webhook_endpoint", organization_id: null });
  await capture(api, String(endpoint?.id), { raw: "hello" });
  await expect.poll(() => bodiesOf(target.received)).toEqual(["hello"]);
  await target.stop();
});

test("A path that leads out of the target's path is not forwarded", async ({
  api,
  baseUrl,
  cli,
}) => {
  const { id } = await makeEndpoint(api);
  const target = await startTarget();
  const leaving = [
    ...["/../admin", "/%2e%2E/admin", "/..%2fadmin", "/%252e%252e/admin", "/..;x/admin"],
    ...["/x/..;/..%3b/admin", "/..%5cadmin", "/x%2f..%2f..%2fadmin"],
  ];
  for (const path of [...leaving, "/x/../ok"])
    await exchange(baseUrl, get(`/api/catch/${id}${path}`), /event_id/);
  const words = ["--to", `${target.url}/hook`, "--since", "wev_0", "--json"];
  const listening = cli.start(["listen", id, ...words]);
  await expect
    .poll(() => listening.values().slice(1))
    .toMatchObject([
      ...leaving.map(() => ({ status: null, error: expect.stringContaining("leads out of") })),
      { status: 200, error: null },
    ]);
  expect(target.received.map(({ path }) => path)).toEqual(["/hook/x/../ok"]);
  await target.stop();
});

test("Control characters of a request reach no terminal, as text or as JSON", async ({
  api,
  cli,
  db,
}) => {
  const { id } = await makeEndpoint(api);
  const headers = { "x-csi": "\x9b31m" };
  const eventId = await capture(api, id, { raw: "\x1b]0;title\x07\u202e", headers });
  // Our server takes no such path, but others may be less strict.
  await db.query("UPDATE webhook_events SET path = path || $1 WHERE id = $2", [
    "/\x1b[31m\x9b31m\u202e",
    eventId,
  ]);
  for (const words of [[], ["--json"]]) {
    const listening = cli.start(["listen", id, "--since", "wev_0", ...words]);
    await expect.poll(listening.stdout).toContain(eventId);
    listening.child.kill("SIGINT");
    const { stdout } = await listening.ended;
    expect(stdout).toMatch(
      words.length > 0 ? /\\u001b\[31m\\u009b31m\\u202e/ : /\\x1b\[31m\\x9b31m\\u202e/,
    );
    expect(stdout.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
  }
});

test("It exits without an error when its output is closed", async ({ api, cli }) => {
  const { id } = await makeEndpoint(api);
  const listening = cli.start(["listen", id, "--json"]);
  await untilListening(listening);
  listening.child.stdout?.destroy();
  for (let sent = 0; sent < 3; sent++) await capture(api, id, { raw: "x" });
  expect(await listening.ended).toMatchObject({ code: 0 });
});

async function untilListening({ stderr }: RunningCommand) {
  await expect.poll(stderr, { intervals: [10] }).toContain("Waiting for requests");
}

function bodiesOf(received: Received[]): string[] {
  return received.map(({ body }) => body.toString());
}

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
}
