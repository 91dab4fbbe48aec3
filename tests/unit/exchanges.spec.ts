import { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "playwright/test";
import { Exchanges, READ_PAUSE_MS } from "@/server/exchanges";
import { ResponseMemory } from "@/server/response-memory";

test("A client has a time limit while it has something to read, and none while the server is silent", async () => {
  mock.timers.enable({ apis: ["setInterval"] });
  const exchanges = new Exchanges(new ResponseMemory());
  const look = async () => {
    await turn();
    mock.timers.tick(1000);
  };
  let isReading = false;
  const unread: (() => void)[] = [];
  const limits: number[] = [];
  const socket = Object.assign(
    new Duplex({
      read() {},
      write: (_bytes, _encoding, done) => (isReading ? done() : unread.push(done)),
    }),
    { bytesRead: 0, setTimeout: (milliseconds: number) => limits.push(milliseconds) },
  ) as unknown as Socket;
  const request = new IncomingMessage(socket);
  request.complete = true;
  const response = new ServerResponse(request);
  response.assignSocket(socket);
  void exchanges.begin(request, response, { address: "192.0.2.1", uploadSecondsMax: 0 });
  try {
    for (const part of ["one", "two"]) {
      isReading = false;
      response.write(part);
      await look();
      await look();
      expect(limits.splice(0)).toEqual([READ_PAUSE_MS]);
      isReading = true;
      for (const done of unread.splice(0)) done();
      await look();
      await look();
      expect(limits.splice(0)).toEqual([0]);
    }
  } finally {
    mock.timers.reset();
  }
});
