import { type IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "playwright/test";
import { ByteBudget } from "@/server/byte-budget";
import { PageTurns } from "@/server/page-turns";

/** Next goes on rendering when the client leaves. */

const RUNNING = 4;
const TOTAL = 1_000_000;
const FORM = "multipart/form-data; boundary=b";

function makeTurns() {
  const bodies = new ByteBudget({ total: TOTAL, perHolder: TOTAL });
  const turns = new PageTurns(bodies);
  let networks = 0;
  let begun = 0;
  /** Asks for a page from a network of its own. */
  const ask = (form?: Buffer, headers: IncomingHttpHeaders = {}, url = "/sign-in") => {
    const request = new IncomingMessage(new Socket());
    request.url = url;
    request.method = form ? "POST" : "GET";
    Object.assign(request.headers, { "content-type": FORM }, headers);
    if (form) request.push(form);
    request.push(null);
    request.complete = true;
    const response = new ServerResponse(request);
    networks += 1;
    const address = `192.0.2.${networks}`;
    const taken = turns.take(request, response, { address }).then((found) => {
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

/** The status of a request with this form: 200 unless it is refused. */
async function statusOf(form: string, headers?: IncomingHttpHeaders, url?: string) {
  const { response, taken } = makeTurns().ask(Buffer.from(form), headers, url);
  (await taken)?.end();
  return response.statusCode;
}

test("A form of more than 2000 parts is refused, and so is one that no browser sends", async () => {
  const form = (delimiters: number) => "--b\r\n\r\n--c\r\n".repeat(delimiters);
  expect(await statusOf(form(2000))).toBe(200);
  expect(await statusOf(form(2001))).toBe(413);
  expect(await statusOf(form(2001), { "content-type": "text/plain" })).toBe(200);
  for (const parameters of [
    'a="; boundary=no"; boundary=b',
    "boundary=b,application/x-www-form-urlencoded",
    `boundary=${"b".repeat(300)}`,
  ]) {
    const headers = { "content-type": `multipart/form-data; ${parameters}` };
    expect(await statusOf("x", headers), parameters).toBe(400);
    // A mail provider's one-click unsubscribe, which no page takes.
    expect(await statusOf("x", headers, "/notices/1/stop"), parameters).toBe(200);
    expect(await statusOf("x", headers, "/sign-in?/notices/1/stop"), parameters).toBe(400);
  }
});

test("More JSON values than any action takes are refused wherever React may parse them, but not in what a person typed", async () => {
  const json = (values: number) => `[${"0,".repeat(values - 1)}0]`;
  const [few, many] = [json(10_000), json(10_001)];
  const commas = ",".repeat(20_000);
  for (const type of ["text/plain;charset=UTF-8", "Multipart/form-data; boundary=b", ""]) {
    const headers = { "content-type": type, "next-action": "7f" };
    expect(await statusOf(few, headers), type).toBe(200);
    expect(await statusOf(many, headers), type).toBe(413);
    expect(await statusOf(`["\\"${commas}"]`, headers), type).toBe(200);
    // Next does not read it.
    expect(await statusOf(many, { "content-type": type }), type).toBe(200);
  }
  const field = (name: string, text: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  expect(await statusOf(field("_1_content", many) + field("0", '[null,"$K1"]'))).toBe(200);
  expect(await statusOf(field("$ACTION_REF_1", "") + field("content", many))).toBe(200);
  // The result of an earlier press of a form without scripts.
  expect(await statusOf(field("$ACTION_1:1", `["${commas}"]`))).toBe(200);
  for (const form of [
    field("0", many),
    // A delimiter inside a string does not hide what follows.
    field("$ACTION_1:1", `["--b",${many}]`),
    field("$ACTION_1:0", many),
    field('_"; name="0', many),
    // A reference whose ID is not a number may mean any field.
    field("0", '["$Qx"]') + field("_1_content", many),
  ]) {
    expect(await statusOf(form), JSON.stringify(form.slice(0, 60))).toBe(413);
  }
});
