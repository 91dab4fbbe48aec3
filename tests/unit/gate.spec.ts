import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "playwright/test";
import { config } from "@/lib/platform/config/config";
import { Gate } from "@/lib/platform/limits/gate";

/** The gate that expensive work and pages pass. */

const LIMITS = {
  running: 2,
  aside: 0,
  runningPerNetwork: 1,
  waiting: 5,
  waitingPerNetwork: 3,
  waitMsMax: 60_000,
  turnMsMax: 60_000,
  message: "Too many at once.",
};
const REFUSED = { status: 429, headers: { "Retry-After": "2" } };

const { localMode } = config();

test.beforeAll(() => {
  Object.assign(config(), { localMode: false });
});

test.afterAll(() => {
  Object.assign(config(), { localMode });
});

/** A gate, and the order in which turns of networks began. */
function makeGate(changed: Partial<typeof LIMITS> = {}) {
  const gate = new Gate({ ...LIMITS, ...changed });
  const begun: string[] = [];
  const ask = (address: string, connection = new AbortController()) => {
    const turn = gate.enter(address, connection.signal).then(({ end, aside }) => {
      begun.push(address);
      return Object.assign(end, { aside });
    });
    turn.catch(() => {});
    return { turn, connection };
  };
  /** Asks for a turn for a later part of a response, and ends it at once. */
  const askUnderWay = (address: string) =>
    gate.run({ address, isUnderWay: true }, async () => begun.push(`${address} under way`));
  return { begun, ask, askUnderWay };
}

/** A turn that neither begins nor is refused at once would, after a minute, for another reason. */
function atOnce<Result>(turn: Promise<Result>): Promise<Result> {
  const waits = nextTurn().then(() => {
    throw new Error("It waits.");
  });
  return Promise.race([turn, waits]);
}

test("A network gets its share of the turns however many another asks for", async () => {
  const { begun, ask } = makeGate();
  const [first, second] = [ask("192.0.2.1"), ask("192.0.2.1")];
  const others = ["192.0.2.2", "192.0.2.2", "192.0.2.3"].map((address) => ask(address));
  await first.turn;
  await others[0]?.turn;
  expect(begun).toEqual(["192.0.2.1", "192.0.2.2"]);
  (await first.turn)();
  await others[2]?.turn; // never had a turn
  (await others[0]?.turn)?.();
  await second.turn; // had its last turn before 192.0.2.2
  expect(begun).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.1"]);
});

test("Work that finds no room in the queue is refused, and work of others is not", async () => {
  const { ask } = makeGate();
  await ask("192.0.2.1").turn;
  for (let i = 0; i < 3; i += 1) ask("192.0.2.1");
  await expect(atOnce(ask("192.0.2.1").turn)).rejects.toMatchObject(REFUSED);
  await ask("192.0.2.2").turn;
});

test("When the queue is full, the newest of the site with the most gives way to a site with fewer", async () => {
  const { ask } = makeGate({ running: 1 });
  const first = await ask("192.0.2.1").turn;
  const [, , newest] = [1, 2, 3].map(() => ask("192.0.2.1"));
  const second = [ask("192.0.2.2"), ask("192.0.2.2")];
  const third = ask("192.0.2.3");
  await expect(newest?.turn).rejects.toMatchObject(REFUSED);
  await expect(ask("192.0.2.2").turn).rejects.toMatchObject(REFUSED);
  first();
  (await second[0]?.turn)?.();
  await third.turn;
});

test("Parts of responses take no places in the queue from other requests, and no turns from other networks", async () => {
  const { begun, ask, askUnderWay } = makeGate({ running: 1 });
  const first = ask("192.0.2.1");
  const count = LIMITS.waiting + 1;
  const underWay = Array.from({ length: count }, () => askUnderWay("192.0.2.1"));
  const [own, other] = [ask("192.0.2.1"), ask("192.0.2.2")];
  (await first.turn)();
  (await other.turn)();
  await Promise.all(underWay);
  await own.turn;
  expect(begun).toEqual([
    "192.0.2.1",
    "192.0.2.2",
    ...Array(count).fill("192.0.2.1 under way"),
    "192.0.2.1",
  ]);
});

test("Work that waits for something else leaves its place to as many others, of other networks", async () => {
  const { begun, ask } = makeGate({ aside: 1 });
  const [first, second] = [ask("192.0.2.1"), ask("192.0.2.2")];
  const held = await Promise.all([first.turn, second.turn]);
  ask("192.0.2.1");
  const [third, fourth] = [ask("192.0.2.3"), ask("192.0.2.4")];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const waits = held.map(({ aside }) => aside(() => finished));
  await atOnce(third.turn);
  finish();
  await Promise.all(waits);
  expect(begun).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
  for (const end of held) end();
  await fourth.turn;
});

test("A client that leaves waits no longer, but its work keeps the turn that it has", async () => {
  const { begun, ask } = makeGate();
  const running = ask("192.0.2.1");
  const [waiting, next] = [ask("192.0.2.1"), ask("192.0.2.1")];
  const end = await running.turn;
  running.connection.abort();
  waiting.connection.abort();
  await expect(waiting.turn).rejects.toMatchObject(REFUSED);
  expect(begun).toHaveLength(1);
  end();
  await next.turn;
});

test("A turn ends at its maximum age", async () => {
  const { ask } = makeGate({ turnMsMax: 50 });
  await ask("192.0.2.1").turn;
  await ask("192.0.2.1").turn; // nobody ended the first
});

test("A turn that does not come is refused in the end", async () => {
  const { ask } = makeGate({ waitMsMax: 20 });
  const running = ask("192.0.2.1");
  await expect(ask("192.0.2.1").turn).rejects.toMatchObject(REFUSED);
  (await running.turn)();
  await ask("192.0.2.1").turn;
});

const CROWDS: Record<string, (index: number) => string> = {
  "one network": () => "192.0.2.1",
  "networks of one site": (index) => `2001:db8:1:${index.toString(16)}::1`,
  "many sites": (index) => `2001:db8:${index.toString(16)}::1`,
};

for (const [title, addressOf] of Object.entries(CROWDS)) {
  test(`One gate for 10,000 costs little more than 20 for 500 each: ${title}`, async () => {
    const cost = async (gates: number, turns: number) => {
      const before = process.cpuUsage();
      for (let gate = 0; gate < gates; gate += 1) {
        const { askUnderWay } = makeGate();
        await Promise.all(Array.from({ length: turns }, (_, n) => askUnderWay(addressOf(n))));
      }
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const small = await cost(20, 500);
    expect(await cost(1, 10_000)).toBeLessThan(3 * small);
  });
}
