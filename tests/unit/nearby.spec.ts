import { expect, test } from "playwright/test";
import { isNearby } from "@/lib/platform/http/nearby";
import type { HttpRequest } from "@/lib/platform/http/request";

for (const [expected, clientAddress, headers] of [
  [true, "127.0.0.1", { host: "localhost:3000" }],
  [true, "::1", { host: "[::1]:3000", "sec-fetch-site": "none" }],
  [false, "127.0.0.1", { host: "evil.example:3000" }],
  [false, "127.0.0.1", { host: "localhost:3000", "sec-fetch-site": "cross-site" }],
  [false, "127.0.0.1", { host: "localhost:3000", origin: "null" }],
  [true, "172.17.0.3", { host: "agents:3000" }],
  [true, "fd12::3", { host: "agents:3000" }],
  [true, "172.17.0.1", { host: "localhost:3000" }],
  [true, "172.17.0.3", { host: "172.17.0.2:3000" }],
  [true, "fd12::3", { host: "[fd12::2]:3000" }],
  [true, "192.168.65.1", { host: "host.docker.internal:3000" }],
  [false, "172.17.0.1", { host: "evil.example:3000" }],
  [false, "172.17.0.1", { host: "" }],
  [false, "172.17.0.3", { host: "agents:3000", origin: "http://evil.example" }],
  [false, "172.17.0.3", { host: "evil.example:3000", "x-forwarded-for": "172.17.0.3" }],
  [false, "203.0.113.7", { host: "localhost:3000" }],
] as const) {
  test(`From ${clientAddress} with ${JSON.stringify(headers)}: nearby ${expected}`, () => {
    const request: HttpRequest = {
      method: "GET",
      url: "http://localhost:3000/metrics",
      headers: new Headers(headers),
      body: null,
      signal: new AbortController().signal,
      clientAddress,
    };
    expect(isNearby(request)).toBe(expected);
  });
}
