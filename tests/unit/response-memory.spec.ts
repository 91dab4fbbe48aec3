import { once } from "node:events";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { expect, test } from "playwright/test";
import { contentResponse } from "@/lib/platform/http/content";
import { ResponseMemory } from "@/server/response-memory";

const RESPONSE = Buffer.alloc(13_000_000);
/** How many of them are in memory at once. */
const KEPT = Math.floor(512_000_000 / RESPONSE.length);
const NOT_REFUSABLE = { refusable: false };

test("A response that cannot be refused never aborts another client's download", () => {
  const responses = new ResponseMemory();
  const readers: ServerResponse[] = [];
  const read = (address: string, { refusable }: { refusable: boolean }) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    responses.hold(response, RESPONSE, { address, refusable });
    readers.push(response);
    return response;
  };
  const isRefused = (address: string) => {
    try {
      read(address, { refusable: true });
      return false;
    } catch {
      return true;
    }
  };
  let strangers = 0;
  while (!isRefused(`10.0.${strangers}.1`)) strangers += 1;
  const own = [1, 2, 3].map(() => read("192.0.2.1", NOT_REFUSABLE));
  expect(readers.slice(0, strangers).filter((one) => one.destroyed)).toEqual([]);
  // A client's earlier responses make room for its next.
  expect(own.map((one) => one.destroyed)).toEqual([true, true, false]);
});

test("Responses with one body count once, until the last of them closes", () => {
  const responses = new ResponseMemory();
  const read = (tag: string) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    responses.hold(response, RESPONSE, { address: "192.0.2.1", refusable: true, tag });
    return response;
  };
  const first = [read("first"), read("first")];
  const fill = () => {
    for (let number = 0; ; number += 1) read(`${number}`);
  };
  expect(fill).toThrow("Too many large responses");
  const next = () => read("next");
  for (const response of first) {
    expect(next).toThrow("Too many large responses");
    response.emit("close");
  }
  expect(next).not.toThrow();
  expect(() => read("another")).toThrow("Too many large responses");
});

test("A page that nobody reads counts whole, and its client's earlier ones make room for the next", () => {
  const responses = new ResponseMemory();
  const read = () => {
    const response = unreadResponse();
    responses.takeWhole(response, "192.0.2.1");
    expect(response.write(RESPONSE)).toBe(true);
    response.end();
    return response;
  };
  const pages = Array.from({ length: 60 }, read);
  const open = pages.map((one) => !one.destroyed);
  expect(open.filter(Boolean).length).toBeGreaterThan(KEPT / 2);
  expect(open.filter(Boolean).length).toBeLessThanOrEqual(KEPT);
  expect(open.lastIndexOf(false)).toBeLessThan(open.indexOf(true));
});

test("A response that was cut off no longer counts, even before its socket closes", async () => {
  const responses = new ResponseMemory();
  const [cutOff, other] = [unreadResponse(), unreadResponse()];
  const write = (response: ServerResponse, times: number) => {
    for (let n = 0; n < times; n += 1) response.write(RESPONSE);
  };
  const look = (response: ServerResponse) => responses.observe(response, "192.0.2.1");
  write(cutOff, 1);
  look(cutOff);
  write(cutOff, 10);
  write(other, KEPT + 1);
  // One check looks at both.
  look(other);
  expect(cutOff.destroyed).toBe(true);
  look(cutOff);
  other.destroy();
  await Promise.all([cutOff, other].map((response) => once(response, "close")));
  expect(countThatFit(responses)).toBe(KEPT);
});

test("A page that goes on after its client has left is not released twice", async () => {
  const responses = new ResponseMemory();
  const page = unreadResponse();
  responses.takeWhole(page, "192.0.2.1");
  page.write(RESPONSE);
  responses.observe(page, "192.0.2.1");
  page.socket?.destroy();
  await once(page, "close");
  page.end();
  expect(countThatFit(responses)).toBe(KEPT);
});

test("A response whose client has left is not counted, with a tag or without", async () => {
  const responses = new ResponseMemory();
  const socket = new Socket();
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  socket.destroy();
  await once(response, "close");
  const options = { address: "192.0.2.1", refusable: true };
  const answerOften = () => {
    for (let number = 0; number < 100; number += 1) {
      responses.hold(response, RESPONSE, options);
      responses.hold(response, RESPONSE, { ...options, tag: `${number}` });
    }
  };
  expect(answerOften).not.toThrow();
});

test("A response with a range does not keep the rest of the content in memory", () => {
  const request = new Request("http://x", { headers: { range: "bytes=0-99999" } });
  const { body } = contentResponse(request, RESPONSE, { "Content-Type": "text/plain" });
  expect((body as Buffer).buffer.byteLength).toBe(100_000);
});

/** A response to a client that reads nothing. */
function unreadResponse(): ServerResponse {
  const socket = new Duplex({ read() {}, write() {} }) as Socket;
  const response = new ServerResponse(new IncomingMessage(socket));
  response.assignSocket(socket);
  return response;
}

/** How many responses fit before one is refused. */
function countThatFit(responses: ResponseMemory): number {
  for (let count = 0; ; count += 1) {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    try {
      responses.hold(response, RESPONSE, { address: "192.0.2.1", refusable: true });
    } catch {
      return count;
    }
  }
}
