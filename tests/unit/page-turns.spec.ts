import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "playwright/test";
import { ByteBudget } from "@/server/byte-budget";
import { PageTurns } from "@/server/page-turns";

/** Next goes on rendering when the client leaves. */

const RUNNING = 4;
const TOTAL = 1_000_000;

function makeTurns() {
  const bodies = new ByteBudget({ total: TOTAL, perHolder: TOTAL });
  const turns = new PageTurns(bodies);
  let networks = 0;
  let begun = 0;
  /** Asks for a page from a network of its own. */
  const ask = (form?: Buffer, type = "multipart/form-data; boundary=b", chunkBytes = 1e6) => {
    const request = new IncomingMessage(new Socket());
    request.method = form ? "POST" : "GET";
    request.headers["content-type"] = type;
    for (let at = 0; form && at < form.length; at += chunkBytes) {
      request.push(form.subarray(at, at + chunkBytes));
    }
    request.push(null);
    request.complete = true;
    const response = new ServerResponse(request);
    networks += 1;
    const taken = turns.take(request, response, `192.0.2.${networks}`).then((found) => {
      if (found) begun += 1;
      return found;
    });
    return { response, taken };
  };
  const isHeld = () => bodies.shortage("", TOTAL) !== undefined;
  return { ask, begun: () => begun, isHeld };
}

test("However many clients open pages and leave, only a few pages are rendered at a time", async () => {
  const { ask, begun } = makeTurns();
  const pages = Array.from({ length: 40 }, () => ask());
  const rendered = await Promise.all(pages.slice(0, RUNNING).map(({ taken }) => taken));
  for (const { response } of pages.slice(0, 10)) response.emit("close");
  await turn();
  expect(begun()).toBe(RUNNING);
  rendered[0]?.end(); // its handler has settled
  expect(await pages[4]?.taken).toBeUndefined();
  expect(await pages[10]?.taken).toBeDefined();
  pages[10]?.response.end(); // Next has rendered it, whether its client reads it or not
  await turn(); // at once, and not when a turn has taken too long
  expect(begun()).toBe(RUNNING + 2);
});

test("A form counts as memory until Next has run it, or while it waits, until its client leaves", async () => {
  const { ask, isHeld } = makeTurns();
  const form = Buffer.alloc(100_000);
  const runs = [ask(form), ask(), ask(), ask()];
  const [first] = await Promise.all(runs.map(({ taken }) => taken));
  runs[0]?.response.emit("close");
  expect(isHeld()).toBe(true);
  first?.end();
  expect(isHeld()).toBe(false);

  await ask().taken;
  const waiting = ask(form);
  await expect.poll(isHeld).toBe(true);
  waiting.response.emit("close");
  await waiting.taken;
  expect(isHeld()).toBe(false);
});

test("A form of more than 2000 parts is refused, wherever its chunks end", async () => {
  const { ask } = makeTurns();
  const form = (delimiters: number) => Buffer.from("--b\r\n\r\n--c\r\n".repeat(delimiters));
  const statusOf = async (...asked: Parameters<typeof ask>) => {
    const { response, taken } = ask(...asked);
    (await taken)?.end();
    return response.statusCode;
  };
  const type = "multipart/form-data; boundary=b";
  for (const bytes of [11, 1000, 1e6]) {
    expect(await statusOf(form(2000), type, bytes)).toBe(200);
    expect(await statusOf(form(2001), type, bytes)).toBe(413);
  }
  expect(await statusOf(form(2001), `multipart/form-data; a="; boundary=no"; boundary=b`)).toBe(
    413,
  );
  expect(await statusOf(form(2001), `multipart/form-data; boundary=${"b".repeat(300)}`)).toBe(413);
  expect(await statusOf(form(2001), "text/plain")).toBe(200);
});
