import { expect, test } from "playwright/test";
import { exactTime, shortTime, timeFormats } from "../../components/ui/relative-time";
import { instantAt, localTime } from "../../lib/api/forms/local-time";

const utc = (text: string) => Date.parse(`${text}Z`) / 1000;

test("Local times and instants convert into each other in any time zone", () => {
  const zones = ["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Pacific/Chatham"];
  for (const zone of zones) {
    for (const month of [1, 4, 7, 10]) {
      const unix = utc(`2026-${String(month).padStart(2, "0")}-15T11:22:33`);
      expect(instantAt(localTime(unix, zone), zone), zone).toBe(unix);
    }
  }
  expect(localTime(utc("2026-07-01T00:30:00"), "Europe/Berlin")).toBe("2026-07-01T02:30:00");
  expect(localTime(253_402_300_799, "Asia/Tokyo")).toBe("");
});

test("A time that clocks skip moves later by the gap, and a repeated time means its first occurrence", () => {
  const at = (text: string) => instantAt(text, "Europe/Berlin");
  expect(at("2026-03-29T02:30")).toBe(utc("2026-03-29T01:30:00"));
  expect(at("2026-03-29T03:00")).toBe(utc("2026-03-29T01:00:00"));
  expect(at("2026-10-25T02:30")).toBe(utc("2026-10-25T00:30:00"));
  expect(at("2026-10-25T03:00")).toBe(utc("2026-10-25T02:00:00"));
});

test("A text that is not a date and time has no instant", () => {
  for (const text of ["", "2026", "2026-13-01T00:00", "2026-01-01T25:00", "2026-01-01T00:00Z"]) {
    expect(instantAt(text, "UTC"), text).toBeUndefined();
  }
});

test("A countdown has the largest unit and the next one", () => {
  const days = (count: number) => count * 86_400;
  const shown: [number, string][] = [
    [59, "in 59 s"],
    [119, "in 1 min 59 s"],
    [3630, "in 1 h"],
    [days(2) + 30, "in 2 d"],
    [days(30) + 3600, "in 1 mo"],
    [days(366), "in 1 y"],
    [days(396), "in 1 y 1 mo"],
  ];
  for (const [seconds, text] of shown) expect(timeFormats.countdown(seconds, 0)).toBe(text);
});

test("A row's time is short, and the full one names the zone and UTC", () => {
  const now = utc("2026-11-21T23:30:00");
  const short = (text: string) => shortTime(utc(text), "Asia/Kolkata", now);
  expect(short("2026-11-21T20:00:05")).toBe("01:30:05");
  expect(short("2026-11-21T08:00:05")).toBe("21 Nov 13:30");
  expect(short("2025-11-21T08:00:05")).toBe("21 Nov 2025");
  expect(exactTime(now, "Asia/Kolkata")).toBe(
    "2026-11-22 05:00:00 GMT+5:30, 2026-11-21 23:30:00 UTC",
  );
  expect(exactTime(now, "UTC")).toBe("2026-11-21 23:30:00 UTC");
});
