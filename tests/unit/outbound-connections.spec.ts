import type { Socket } from "node:net";
import { expect, test } from "playwright/test";
import { fetchOutbound, type OutboundRequest } from "@/lib/platform/outbound/fetch";
import { startDns, type Zone } from "../support/dns";
import { startRaw } from "../support/raw-target";
import { pause } from "../support/servers";
import { startTarget } from "../support/target";

/** When outbound requests share a connection. */

const local = {
  loopback: true,
  ownOrigin: "https://service.example",
  allowed: [],
  dnsServers: ["127.0.0.1:1"],
};

async function send(url: string, options: Partial<OutboundRequest>) {
  return (await fetchOutbound({ url: new URL(url), rules: local, ...options })).status;
}

/** A target that counts its connections. */
async function startCounting() {
  const ports = new Set<number | undefined>();
  const target = await startTarget((response, _, request) => {
    ports.add(request.socket.remotePort);
    response.end("ok");
  });
  return { target, ports };
}

test("Requests of one group reuse a connection; without a group each has its own", async () => {
  const { target, ports } = await startCounting();
  const post = { method: "POST", body: Buffer.from("x") };
  for (let n = 0; n < 3; n++) await send(target.url, { ...post, connectionGroup: "one" });
  expect(ports.size).toBe(1);
  await send(target.url, { ...post, connectionGroup: "two" });
  expect(ports.size).toBe(2);
  await send(target.url, post);
  await send(target.url, post);
  expect(ports.size).toBe(4);
  expect(target.received).toHaveLength(6);
  await target.stop();
});

test("After a GET with a body, or a response before the end of the request, a connection is closed", async () => {
  const { target, ports } = await startCounting();
  for (let n = 1; n <= 2; n++) {
    await send(target.url, { body: Buffer.from("x"), connectionGroup: "get" });
    expect(ports.size).toBe(n);
  }
  await target.stop();
  const sockets: Socket[] = [];
  const early = await startRaw((socket) => {
    sockets.push(socket);
    socket.once("data", () => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      socket.pause();
    });
  });
  const body = Buffer.alloc(20_000_000);
  expect(await send(early.url, { method: "POST", body, connectionGroup: "early" })).toBe(200);
  for (const socket of sockets) socket.resume();
  await expect.poll(() => early.seen.open).toBe(0);
  expect(early.seen.bytes).toBeLessThan(body.length);
  early.stop();
});

test("A connection on which an unexpected response arrives is closed at once", async () => {
  const response = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  let closed: string[] = [];
  const startAnswering = (name: string, respond: (socket: Socket) => void) =>
    startRaw((socket) => {
      socket.on("data", () => respond(socket));
      socket.on("close", () => closed.push(name));
    });
  const honest = await startAnswering("honest", (socket) => socket.write(response));
  const twice = await startAnswering("twice", (socket) => socket.write(response + response));
  const late = await startAnswering("late", (socket) => {
    socket.write(response);
    setTimeout(() => socket.write(response), 10);
  });
  const targets = [honest, twice, late];
  // The honest connection has been idle for longest. On a busy machine it may still be closed first.
  await expect(async () => {
    closed = [];
    for (const { url } of targets) expect(await send(url, { connectionGroup: "any" })).toBe(200);
    await expect.poll(() => closed).toHaveLength(targets.length);
    expect(closed).toEqual(["twice", "late", "honest"]);
  }).toPass({ timeout: 10_000 });
  for (const raw of targets) raw.stop();
});

test("An idle connection is closed within a second", async () => {
  const raw = await startRaw((socket) => {
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  });
  expect(await send(raw.url, { connectionGroup: "idle" })).toBe(200);
  expect(raw.seen.open).toBe(1);
  // What delays the connection's end delays these as well.
  for (let turn = 0; turn < 10 && raw.seen.open > 0; turn += 1) await pause(100);
  expect(raw.seen.open).toBe(0);
  raw.stop();
});

test("A connection is reused only while its address is among the vetted ones", async () => {
  const { target, ports } = await startCounting();
  let zone: Zone = { A: ["127.0.0.1"] };
  const dns = await startDns({ "t.example": () => zone });
  const rules = { ...local, dnsServers: [dns.address] };
  const ask = () => send(`http://t.example:${target.port}/`, { rules, connectionGroup: "moving" });
  expect(await ask()).toBe(200);
  expect(await ask()).toBe(200);
  expect(ports.size).toBe(1);
  zone = { A: ["10.0.0.1"] };
  await expect(ask()).rejects.toMatchObject({ failure: "blocked_address" });
  zone = { A: ["127.0.0.2"] };
  await expect(ask()).rejects.toMatchObject({ failure: "connection_refused" });
  expect(target.received).toHaveLength(2);
  dns.stop();
  await target.stop();
});
