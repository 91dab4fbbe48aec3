import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "playwright/test";
import {
  cronProblem,
  isTimezone,
  occurs,
  type Timing,
  timesAfter,
} from "@/lib/resources/schedules/timing";

/** When schedules run. */

const NONE: Timing = {
  cron: null,
  timezone: null,
  every_seconds: null,
  starts_at: null,
  ends_at: null,
  created_at: 0,
};

function unix(time: string): number {
  return Date.parse(time) / 1000;
}

function shown(timing: Partial<Timing>, after: string, count: number): string[] {
  const times = timesAfter({ ...NONE, ...timing }, unix(after), count);
  return times.map((time) => new Date(time * 1000).toISOString().replace(":00.000Z", "Z"));
}

test("A cron expression means the clock on the wall of its time zone", () => {
  const berlin = { cron: "0 9 * * MON-FRI", timezone: "Europe/Berlin" };
  expect(shown(berlin, "2027-03-25T12:00Z", 3)).toEqual([
    "2027-03-26T08:00Z",
    "2027-03-29T07:00Z",
    "2027-03-30T07:00Z",
  ]);
});

for (const [cron, day, expected] of [
  // Clocks go from 2:00 to 3:00 at 01:00Z.
  ["30 2 * * *", "2027-03-28", ["01:00Z"]],
  ["0,30 2 * * *", "2027-03-28", ["01:00Z"]],
  ["*/30 2 * * *", "2027-03-28", []],
  ["0 1-4 * * *", "2027-03-28", ["00:00Z", "01:00Z", "02:00Z"]],
  // Clocks go from 3:00 back to 2:00 at 01:00Z.
  ["30 2 * * *", "2027-10-31", ["00:30Z"]],
  ["0,30 2 * * *", "2027-10-31", ["00:00Z", "00:30Z"]],
  ["*/30 2 * * *", "2027-10-31", ["00:00Z", "00:30Z", "01:00Z", "01:30Z"]],
  ["0 * * * *", "2027-10-31", ["00:00Z", "01:00Z", "02:00Z", "03:00Z", "04:00Z", "05:00Z"]],
] as const) {
  test(`${cron} runs in Berlin on ${day} at ${expected.join(", ") || "no time"}`, () => {
    const start = unix(`${day}T00:00Z`) - 1;
    const times = timesAfter({ ...NONE, cron, timezone: "Europe/Berlin" }, start, 200);
    const before = times.filter((time) => time < unix(`${day}T06:00Z`));
    expect(before).toEqual(expected.map((time) => unix(`${day}T${time}`)));
  });
}

const PATTERNS = ["30 2 * * *", "*/20 * * * *", "0,30 1-3 * * *", "15 */2 * * SUN", "0 0 29 2 *"];
const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"];

test("The times are the same and each comes once, however often they are computed", () => {
  const differences: string[] = [];
  for (const timezone of ZONES) {
    for (const cron of PATTERNS) {
      for (const day of ["2027-03-14", "2027-03-28", "2027-04-04", "2027-10-31"]) {
        const timing = { ...NONE, cron, timezone };
        const start = unix(`${day}T00:00Z`) - 12 * 3600;
        const times = timesAfter(timing, start, 100);
        for (let now = start; now < start + 24 * 3600; now += 3571) {
          const [next] = timesAfter(timing, now, 1);
          if (next === times.find((time) => time > now)) continue;
          differences.push(`${cron} in ${timezone} after ${now}: ${next}`);
        }
      }
    }
  }
  expect(differences).toEqual([]);
});

test("29 February comes every four years, and not in 2100", () => {
  // Of a rare date, those of the years after the next one.
  expect(shown({ cron: "0 0 29 2 +MON" }, "2025-01-01T00:00Z", 5)).toEqual(["2044-02-29T00:00Z"]);
  expect(shown({ cron: "0 0 29 2 *" }, "2092-03-01T00:00Z", 2)).toEqual([
    "2096-02-29T00:00Z",
    "2104-02-29T00:00Z",
  ]);
});

test("every_seconds counts from starts_at, the time of the first run, or else from the creation", () => {
  const made = unix("2027-01-01T00:00Z");
  const plain = { every_seconds: 3600, created_at: made };
  expect(shown(plain, "2027-01-01T00:00Z", 2)).toEqual(["2027-01-01T01:00Z", "2027-01-01T02:00Z"]);
  const started = { ...plain, starts_at: made + 1800 };
  expect(shown(started, "2027-01-01T00:00Z", 2)).toEqual([
    "2027-01-01T00:30Z",
    "2027-01-01T01:30Z",
  ]);
  expect(shown(started, "2027-01-01T05:00Z", 1)).toEqual(["2027-01-01T05:30Z"]);
});

test("No run is before starts_at, or at or after ends_at", () => {
  const bounded = {
    cron: "0 * * * *",
    starts_at: unix("2027-01-01T03:00Z"),
    ends_at: unix("2027-01-01T05:00Z"),
  };
  expect(shown(bounded, "2027-01-01T00:00Z", 5)).toEqual([
    "2027-01-01T03:00Z",
    "2027-01-01T04:00Z",
  ]);
  expect(shown(bounded, "2027-01-01T04:00Z", 5)).toEqual([]);
});

test("Times go on after the year 2999, and end with the year 9999", () => {
  const starts_at = unix("2999-12-31T12:00Z");
  const late = { cron: "0 9 * * *", timezone: "Europe/Berlin", starts_at };
  expect(shown(late, "2027-01-01T00:00Z", 2)).toEqual(["3000-01-01T08:00Z", "3000-01-02T08:00Z"]);
  expect(shown({ cron: "0 0 29 2 *" }, "9996-02-28T00:00Z", 2)).toEqual(["9996-02-29T00:00Z"]);
});

test("A cron expression is refused with the reason", () => {
  for (const [cron, reason] of [
    ["0 0 30 2 *", "never occurs"],
    ["0 0 31 2,4,6,9,11 *", "never occurs"],
    ["* * * * * *", "must have five fields"],
    ["0 9 * *", "must have five fields"],
    ["2030-01-01T00:00:00", "must have five fields"],
    ["TZ=UTC 0 9 * * *", "must have five fields"],
    ["@reboot", "must have five fields"],
    ["", "must have five fields"],
    ["60 * * * *", 'has an invalid minute, "60": 0 to 59'],
    ["0 9 * * MON-FRY", 'has an invalid day of week, "MON-FRY": 0 to 7, or SUN to SAT'],
    ["0 9 0 * *", 'has an invalid day of month, "0"'],
    ["*/0 * * * *", 'has an invalid minute, "*/0"'],
  ] as const) {
    expect(cronProblem(cron), cron).toContain(reason);
  }
  for (const cron of ["* * * * *", "0 0 29 2 *", "@daily", "0 9 LW * *", "0 0 * * FRI#2"]) {
    expect(cronProblem(cron), cron).toBeUndefined();
  }
});

test("A cron expression that never occurs is refused within milliseconds", () => {
  const spent = cpuMs(() => {
    for (let i = 0; i < 10; i++) cronProblem("* * 31 2,4,6,9,11 +MON,TUE,WED");
  });
  expect(spent).toBeLessThan(500);
});

test("Times that the clocks of a zone always skip are found not to occur, in a few years", () => {
  const lines = [
    ["* 2 * 3 +SUNL", "Europe/Berlin"],
    ["* 2 8-14 3 +SUN", "America/New_York"],
    ["* 0 * 4 +FRIL", "Africa/Cairo"],
    ["* 1-2 * 3 +SUNL", "Antarctica/Troll"],
  ] as const;
  const spent = cpuMs(() => {
    for (const [cron, timezone] of lines) {
      expect(shown({ cron, timezone }, "2027-01-01T00:00Z", 1), cron).toEqual([]);
    }
  });
  // It took more than two seconds for each.
  expect(spent).toBeLessThan(2000);
  // A Sunday in March on which the clocks do not change comes after years on which they do.
  const some = { cron: "* 2 24,29 3 +SUN", timezone: "Europe/Berlin" };
  expect(shown(some, "2026-01-01T00:00Z", 1)).toEqual(["2030-03-24T01:00Z"]);
});

test("A cron line whose every time the clocks skip is recognized quickly", () => {
  const from = unix("2026-01-01T00:00Z");
  const never = [
    ["* 2 * 3 +SUNL", "Europe/Berlin"],
    ["0-59/1 2 8-14 3 +SUN", "America/New_York"],
    ["* 0 * 4 +FRIL", "Africa/Cairo"],
    ["1-59 1-2/1 * 3 +SUNL", "Antarctica/Troll"],
    ["0-29/1 2 1-7 10 +SUN", "Australia/Lord_Howe"],
  ] as const;
  const some = [
    ["30 2 * 3 +SUNL", "Europe/Berlin"],
    ["* 2 24,29 3 +SUN", "Europe/Berlin"],
    ["0-30/1 2 1-7 10 +SUN", "Australia/Lord_Howe"],
    ["@daily", "UTC"],
  ] as const;
  const spent = cpuMs(() => {
    for (const [cron, zone] of never) expect(occurs(cron, zone, from), cron).toBe(false);
    for (const [cron, zone] of some) expect(occurs(cron, zone, from), cron).toBe(true);
  });
  expect(spent).toBeLessThan(2000);
});

test("A list of schedules with rare times does not search for them again and again", () => {
  const list = () => {
    for (let minute = 0; minute < 50; minute++) {
      const rare = { cron: `${minute} 3 29W 2 +MON#5`, timezone: "Africa/Casablanca" };
      expect(shown(rare, "2027-01-01T00:00Z", 5)).toHaveLength(1);
    }
  };
  const first = cpuMs(list);
  expect(cpuMs(list)).toBeLessThan(first / 3);
});

test("Cached times are not shown once they have passed", () => {
  const yearly = { cron: "7 0 1 1 *", timezone: "UTC" };
  expect(shown(yearly, "2027-01-01T00:06Z", 1)).toEqual(["2027-01-01T00:07Z"]);
  expect(shown(yearly, "2027-01-01T00:07Z", 1)).toEqual(["2028-01-01T00:07Z"]);
  expect(shown(yearly, "2026-12-31T00:00Z", 1)).toEqual(["2027-01-01T00:07Z"]);
});

test("A time zone in many spellings takes the memory of one", async () => {
  const made: WeakRef<Intl.DateTimeFormat>[] = [];
  const { DateTimeFormat } = Intl;
  const watched = new Proxy(DateTimeFormat, {
    construct(format, options) {
      const one = Reflect.construct(format, options);
      made.push(new WeakRef(one));
      return one;
    },
  });
  Object.assign(Intl, { DateTimeFormat: watched });
  try {
    for (let n = 0; n < 250; n++) {
      const letters = [..."antarctica/troll"].map((letter, at) =>
        (n >> at) % 2 === 1 ? letter.toUpperCase() : letter,
      );
      const timezone = letters.join("");
      expect(isTimezone(timezone), timezone).toBe(true);
      expect(shown({ cron: "0 9 * * *", timezone }, "2027-01-01T00:00Z", 1), timezone).toEqual([
        "2027-01-01T09:00Z",
      ]);
    }
  } finally {
    Object.assign(Intl, { DateTimeFormat });
  }
  setFlagsFromString("--expose-gc");
  await turn();
  runInNewContext("gc")();
  const kept = made.filter((format) => format.deref() !== undefined);
  // A few are cached.
  expect(kept.length).toBeLessThan(125);
});

/** The processor time that it takes, in milliseconds. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("A time zone has an IANA name", () => {
  for (const name of ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires"]) {
    expect(isTimezone(name), name).toBe(true);
  }
  for (const name of ["Mars/Phobos", "+05:00", "", " ", "GMT+1", "Europe/Berlin\n"]) {
    expect(isTimezone(name), name).toBe(false);
  }
});
