import { once } from "node:events";
import { createServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "playwright/test";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { readBytes } from "@/lib/platform/http/request";
import { HeldBody, memoryLimits } from "@/server/body-memory";
import { ByteBudget } from "@/server/byte-budget";
import { NodeRequest } from "@/server/node-request";

test("A client that disconnects during its upload gets 408, not a database failure", async () => {
  const bodies = new ByteBudget(memoryLimits());
  const server = createServer().listen(0, "127.0.0.1");
  const address = "127.0.0.1";
  const status = new Promise<number>((resolve) => {
    server.once("request", async (incoming, response) => {
      client.resetAndDestroy();
      const heldBody = new HeldBody(bodies, address);
      const request = new NodeRequest(incoming, response, { address, heldBody });
      const error = await readBytes(request, 1000).catch((thrown) => toApiError(thrown));
      // To a connection that has gone, as `serveApi` writes it.
      response.writeHead(408).end("late");
      resolve(error instanceof Uint8Array ? 200 : error.status);
    });
  });
  await once(server, "listening");
  const client = net.connect((server.address() as AddressInfo).port, address);
  client.on("error", () => {});
  client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 12\r\n\r\n{");
  expect(await status).toBe(408);
  server.close();
});
