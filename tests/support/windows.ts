import type { Pool } from "pg";
import { expect } from "playwright/test";
import type { ApiResponse } from "./http";

/** Limits hold for windows by the clock: uses in two windows count less. */

/** What a test of a limit needs at most on a slow machine. */
const TEST_SECONDS = 20;

/** Waits until the window of so many seconds by the database's clock has room for a test. */
export async function clockWithRoom(db: Pool, seconds: number) {
  const statement = `SELECT (unix_now() % ${seconds})::int AS passed`;
  const passed = async () => (await db.query<{ passed: number }>(statement)).rows[0]?.passed;
  await expect.poll(passed).toBeLessThan(seconds - TEST_SECONDS);
}

/** Moves the clock of a test's own database on to the next full hour. */
export function startHour(db: Pool) {
  return startWindow(db, 3600);
}

/** Moves the clock of a test's own database on to the next full minute. */
export function startMinute(db: Pool) {
  return startWindow(db, 60);
}

/** Moves the clock of a test's own database on by so many seconds. */
export function moveClock(db: Pool, seconds: number) {
  return setClock(db, "unix_now() + $1", seconds);
}

function startWindow(db: Pool, seconds: number) {
  return setClock(db, "(unix_now() / $1 + 1) * $1", seconds);
}

async function setClock(db: Pool, time: string, seconds: number) {
  const { rows } = await db.query<{ ahead: string }>(
    `SELECT ${time} - floor(extract(epoch FROM now()))::bigint AS ahead`,
    [seconds],
  );
  await db.query(`CREATE OR REPLACE FUNCTION unix_now() RETURNS BIGINT LANGUAGE SQL STABLE PARALLEL SAFE
    AS $$ SELECT floor(extract(epoch FROM now()))::BIGINT + ${rows[0]?.ahead} $$`);
}

/** Waits until the window of a server has room for a test, by the limit that its responses report. */
export async function windowWithRoom(send: () => Promise<ApiResponse>) {
  const left = async () => Number(/t=(\d+)/.exec((await send()).headers.need("ratelimit"))?.[1]);
  await expect.poll(left).toBeGreaterThan(TEST_SECONDS);
}
