import { once } from "node:events";
import fs from "node:fs";
import type { AddressInfo, Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";
import { expect, test } from "playwright/test";
import { EVERY_ADDRESS } from "@/lib/platform/addresses";
import { OutboundError } from "@/lib/platform/outbound/error";
import { fetchOutbound, type OutboundRequest } from "@/lib/platform/outbound/fetch";
import { selfSigned } from "../support/certificate";
import { startDns, type Zone } from "../support/dns";
import { startRaw } from "../support/raw-target";
import { startTarget } from "../support/target";

const closed = {
  loopback: false,
  ownOrigin: "https://service.example",
  allowed: [],
  dnsServers: ["127.0.0.1:1"],
};
const local = { ...closed, loopback: true };
const CHUNKED = "Transfer-Encoding: chunked\r\n";

/** The loopback addresses 127.0.0.`first` to 127.0.0.`last`. Targets listen on the first one only. */
function loopbacks(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, n) => `127.0.0.${first + n}`);
}

function answerEmpty(socket: Socket) {
  socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
}

/** The status of the response, or the failure. */
async function outcome(url: string, options: Partial<OutboundRequest> = {}) {
  try {
    return (await fetchOutbound({ url: new URL(url), rules: local, ...options })).status;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return error.failure;
  }
}

test.describe("DNS names", () => {
  const cases: Array<[string, Zone | ((asked: number) => Zone), string]> = [
    ["private", { A: ["10.0.0.1"] }, "blocked_address"],
    ["loopback", { A: ["127.0.0.1"] }, "blocked_address"],
    ["loopback6", { AAAA: ["::1"] }, "blocked_address"],
    ["mapped", { AAAA: ["::ffff:127.0.0.1".replace("127.0.0.1", "7f00:1")] }, "blocked_address"],
    ["metadata", { A: ["169.254.169.254"] }, "blocked_address"],
    ["mixed", { A: ["93.184.215.14", "127.0.0.1"] }, "blocked_address"],
    ["mixed-families", { A: ["93.184.215.14"], AAAA: ["fd00::1"] }, "blocked_address"],
    ["empty", {}, "dns_error"],
    ["missing", { rcode: 3 }, "dns_error"],
    ["broken", { rcode: 2 }, "dns_error"],
    ["refused", { rcode: 5 }, "dns_error"],
    ["crowded", { A: loopbacks(1, 65) }, "dns_error"],
  ];
  for (const [name, zone, expected] of cases) {
    test(`A ${name} DNS answer is ${expected}, and nothing is sent`, async () => {
      const raw = await startRaw();
      const dns = await startDns({ "t.example": zone });
      const rules = { ...closed, dnsServers: [dns.address] };
      expect(await outcome(`http://t.example:${raw.port}/`, { rules })).toBe(expected);
      expect(raw.seen).toMatchObject({ connections: 0, bytes: 0 });
      dns.stop();
      raw.stop();
    });
  }

  test("A silent name server is a dns_error within the connect timeout", async () => {
    const dns = await startDns({ "t.example": { silent: true } });
    const rules = { ...closed, dnsServers: [dns.address] };
    const started = performance.now();
    expect(await outcome("http://t.example/", { rules })).toBe("dns_error");
    expect(performance.now() - started).toBeLessThan(15_000);
    dns.stop();
  });

  test("A name is resolved once, and the address that was checked is the one dialled", async () => {
    const target = await startTarget();
    const dns = await startDns({
      "t.example": (asked) => (asked === 1 ? { A: ["127.0.0.1"] } : { A: ["10.0.0.1"] }),
    });
    const rules = { ...local, dnsServers: [dns.address] };
    expect(await outcome(`http://t.example:${target.port}/`, { rules })).toBe(200);
    expect(dns.asked.get("t.example/A")).toBe(1);
    expect(dns.asked.get("t.example/AAAA")).toBe(1);
    expect(await outcome(`http://t.example:${target.port}/`, { rules })).toBe("blocked_address");
    expect(target.received).toHaveLength(1);
    expect(target.received[0]?.headers.host).toBe(`t.example:${target.port}`);
    dns.stop();
    await target.stop();
  });

  test("When the first address does not answer, the next is tried", async () => {
    const target = await startTarget();
    const dns = await startDns({ "t.example": { A: ["192.0.2.1", "127.0.0.1"] } });
    const rules = { ...local, allowed: EVERY_ADDRESS, dnsServers: [dns.address] };
    expect(await outcome(`http://t.example:${target.port}/`, { rules })).toBe(200);
    dns.stop();
    await target.stop();
  });

  test("However many addresses a name has, the first one that answers gets the only connection", async () => {
    for (const count of [3, 6, 7]) {
      const raw = await startRaw(answerEmpty);
      const dns = await startDns({ "t.example": { A: loopbacks(1, count) } });
      const rules = { ...local, dnsServers: [dns.address] };
      expect(await outcome(`http://t.example:${raw.port}/`, { rules }), `${count}`).toBe(200);
      await expect.poll(() => raw.seen).toMatchObject({ connections: 1, open: 0 });
      dns.stop();
      raw.stop();
    }
  });

  test("The first eight addresses of a name are tried, and all are checked", async () => {
    const raw = await startRaw(answerEmpty);
    const dns = await startDns({
      "eight.example": { A: [...loopbacks(2, 8), "127.0.0.1"] },
      "nine.example": { A: [...loopbacks(2, 9), "127.0.0.1"] },
      "private.example": { A: ["127.0.0.1", ...loopbacks(2, 9), "10.0.0.1"] },
    });
    const rules = { ...local, dnsServers: [dns.address] };
    const ask = (name: string) => outcome(`http://${name}.example:${raw.port}/`, { rules });
    expect(await ask("eight")).toBe(200);
    expect(await ask("nine")).toBe("connection_refused");
    expect(await ask("private")).toBe("blocked_address");
    expect(raw.seen.connections).toBe(1);
    dns.stop();
    raw.stop();
  });
});

test("A private literal address gets no connection", async () => {
  const raw = await startRaw();
  for (const host of ["127.0.0.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "localhost"]) {
    expect(await outcome(`http://${host}:${raw.port}/`, { rules: closed }), host).toBe(
      "blocked_address",
    );
  }
  expect(raw.seen).toMatchObject({ connections: 0, bytes: 0 });
  raw.stop();
});

test("All refusals have the same message", async () => {
  const dns = await startDns({
    "a.example": { A: ["10.0.0.1"] },
    "b.example": { A: ["8.8.8.8", "::1"] },
  });
  const texts = new Set<string>();
  for (const url of [
    "http://a.example/",
    "http://10.0.0.1/",
    "http://localhost/",
    "http://[fd00::1]/",
  ]) {
    await fetchOutbound({
      url: new URL(url),
      rules: { ...closed, dnsServers: [dns.address] },
    }).catch((error) => texts.add(error.message));
  }
  expect(texts.size).toBe(1);
  dns.stop();
});

test("Method, path, header order, repeated headers and a GET body are sent as given", async () => {
  const target = await startTarget();
  const status = await outcome(`${target.url}/a%20b?c=%7Bd%7D`, {
    method: "GET",
    headers: [
      ["X-One", "1"],
      ["x-one", "2"],
      ["__proto__", "p"],
      ["X-Text", "caf\u00e9"],
    ],
    body: Buffer.from("hello"),
  });
  expect(status).toBe(200);
  const [got] = target.received;
  expect(got?.path).toBe("/a%20b?c=%7Bd%7D");
  expect(got?.body.toString()).toBe("hello");
  expect(got?.rawHeaders).toEqual(
    [
      ["Host", `127.0.0.1:${target.port}`],
      ["Content-Length", "5"],
      ["X-One", "1"],
      ["X-One", "2"],
      ["__proto__", "p"],
      ["X-Text", "caf\u00e9"],
      ["Connection", "close"],
    ].flat(),
  );
  await target.stop();
});

test.describe("Bad targets", () => {
  test("A redirect is returned and not followed", async () => {
    const other = await startTarget();
    const target = await startTarget((response) =>
      response.writeHead(302, { Location: other.url }).end(),
    );
    expect(await outcome(target.url)).toBe(302);
    expect(other.received).toHaveLength(0);
    await target.stop();
    await other.stop();
  });

  test("A closed port is connection_refused", async () => {
    const raw = await startRaw();
    raw.stop();
    expect(await outcome(raw.url)).toBe("connection_refused");
    expect(await outcome("http://127.0.0.1:0/")).toBe("connection_refused");
  });

  test("A target that hangs or trickles bytes times out", async () => {
    const limits = { totalTimeoutMs: 600 };
    const hanging = await startRaw();
    expect(await outcome(hanging.url, { limits })).toBe("timeout");
    const dripping = await startRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    expect(await outcome(dripping.url, { limits })).toBe("timeout");
    const drippingHead = await startRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("X: y\r\n"), 20);
      socket.on("close", () => clearInterval(timer));
    });
    expect(await outcome(drippingHead.url, { limits })).toBe("timeout");
    for (const raw of [hanging, dripping, drippingHead]) raw.stop();
  });

  const endless: [string, string, Buffer][] = [
    ["An endless response", "", Buffer.alloc(65_536)],
    [
      "A response of extensions of chunks",
      CHUNKED,
      Buffer.from(`1;${"e".repeat(10_000)}\r\nx\r\n`),
    ],
  ];
  for (const [what, header, part] of endless) {
    test(`${what} is cut off at the size limit, and the connection is closed`, async () => {
      let sent = 0;
      let closedAt = 0;
      const raw = await startRaw((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n`);
        const send = () => {
          while (!socket.destroyed) {
            sent += part.length;
            if (!socket.write(part)) return;
          }
        };
        socket.on("drain", send);
        socket.on("close", () => {
          closedAt = sent;
        });
        send();
      });
      expect(await outcome(raw.url)).toBe("response_too_large");
      await expect.poll(() => closedAt).toBeGreaterThan(0);
      expect(closedAt).toBeLessThan(20_000_000);
      raw.stop();
    });
  }

  test("A response of 1 MB in ordinary chunks is read, and one in chunks of a byte is cut off", async () => {
    const raw = (size: number, count: number) => {
      const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;
      const response = `HTTP/1.1 200 OK\r\n${CHUNKED}\r\n${chunk.repeat(count)}0\r\n\r\n`;
      return startRaw((socket) => socket.once("data", () => socket.write(response)));
    };
    const ordinary = await raw(100, 10_000);
    const { body } = await fetchOutbound({ url: new URL(ordinary.url), rules: local });
    expect(body.equals(Buffer.alloc(1_000_000, "x"))).toBe(true);
    const tiny = await raw(1, 200_000);
    await expect(fetchOutbound({ url: new URL(tiny.url), rules: local })).rejects.toMatchObject({
      failure: "response_too_large",
      status: 200,
    });
    ordinary.stop();
    tiny.stop();
  });

  test("Endless headers are cut off", async () => {
    const raw = await startRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(
        () => socket.write(`X-${Math.random()}: ${"y".repeat(1000)}\r\n`),
        1,
      );
      socket.on("close", () => clearInterval(timer));
    });
    expect(await outcome(raw.url)).toBe("response_too_large");
    raw.stop();
  });

  test("A connection that breaks before or during the response is connection_reset", async () => {
    const before = await startRaw((socket) => socket.once("data", () => socket.destroy()));
    expect(await outcome(before.url)).toBe("connection_reset");
    const within = await startRaw((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"));
    });
    expect(await outcome(within.url)).toBe("connection_reset");
    const chunked = await startRaw((socket) => {
      socket.once("data", () =>
        socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
      );
    });
    expect(await outcome(chunked.url)).toBe("connection_reset");
    const nonsense = await startRaw((socket) => {
      socket.once("data", () => socket.end("SSH-2.0-OpenSSH_9.2\r\n"));
    });
    expect(await outcome(nonsense.url)).toBe("connection_reset");
    for (const raw of [before, within, chunked, nonsense]) raw.stop();
  });

  test("Many interim responses are too large, a few are skipped, and a protocol switch counts as the response", async () => {
    const interim = (count: number) =>
      startRaw((socket) => {
        socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(count));
        answerEmpty(socket);
      });
    const few = await interim(3);
    expect(await outcome(few.url)).toBe(200);
    const many = await interim(1000);
    expect(await outcome(many.url)).toBe("response_too_large");
    const switching = await startRaw((socket) => {
      socket.once("data", () =>
        socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
        ),
      );
    });
    expect(await outcome(switching.url)).toBe(101);
    for (const raw of [few, many, switching]) raw.stop();
  });

  test("A compressed response is not decompressed", async () => {
    const bytes = Buffer.from("1f8b0800000000000003", "hex");
    const target = await startTarget((response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" }).end(bytes);
    });
    const response = await fetchOutbound({ url: new URL(target.url), rules: local });
    expect(response.body).toEqual(bytes);
    await target.stop();
  });
});

test("An untrusted certificate is tls_error, and no byte of the request is sent", async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outbound-tls-"));
  let bytes = 0;
  const server = tls.createServer(selfSigned(folder), (socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
  });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  expect(await outcome(`https://localhost:${port}/`)).toBe("tls_error");
  const plain = await startTarget();
  expect(await outcome(`https://localhost:${plain.port}/`)).toBe("tls_error");
  expect(bytes).toBe(0);
  server.close();
  await plain.stop();
});
