import { customAlphabet } from "nanoid";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TIME_LENGTH = 9; // 62^9 microseconds reach the year 2398
export const RANDOM_LENGTH = 16; // 95.3 bits: the ID of a public resource grants access to it

/** Cryptographically random base62 characters, as many as an ID has unless told otherwise. */
export const randomBase62 = customAlphabet(ALPHABET, RANDOM_LENGTH);
let lastMicroseconds = 0;
/**
 * How far the clock of IDs is ahead of `performance.now()`, which stands still while the computer sleeps. It only
 * grows: when the system clock is set back, IDs go on from where they were.
 */
let ahead = performance.timeOrigin;

/**
 * Makes an ID: prefix, microseconds since 1970 and random characters, in base62 with its alphabet
 * in byte order. Strictly increasing within a process, so IDs sort by creation.
 */
export function newId(prefix: string): string {
  return `${prefix}_${base62(takeMicroseconds(1), TIME_LENGTH)}${randomBase62()}`;
}

/**
 * Makes many IDs that differ in their times alone, which takes a fraction of the time. They are for one
 * caller, since anyone who knows one can guess the others.
 */
export function newIds(prefix: string, count: number): string[] {
  const first = takeMicroseconds(count);
  const random = randomBase62();
  let high = -1;
  let start = "";
  return Array.from({ length: count }, (_, n) => {
    const rest = Math.floor((first + n) / LOW_VALUES);
    if (rest !== high) {
      high = rest;
      start = `${prefix}_${base62(high, TIME_LENGTH - LOW_LENGTH)}`;
    }
    return start + base62((first + n) % LOW_VALUES, LOW_LENGTH) + random;
  });
}

/** The last digits of a time, which alone differ between most IDs that are made together. */
const LOW_LENGTH = 2;
const LOW_VALUES = 62 ** LOW_LENGTH;

/** Takes `count` microseconds for IDs, which no other ID of this process has, and returns the first. */
function takeMicroseconds(count: number): number {
  ahead = Math.max(ahead, Date.now() - performance.now());
  const now = Math.floor((ahead + performance.now()) * 1000);
  const first = Math.max(now, lastMicroseconds + 1);
  lastMicroseconds = first + count - 1;
  return first;
}

/** Whether the text has the form of an ID, whether or not it exists. */
export function looksLikeId(prefix: string, text: string): boolean {
  const rest = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : "";
  return (
    rest === "0" || (rest.length === TIME_LENGTH + RANDOM_LENGTH && /^[0-9A-Za-z]+$/.test(rest))
  );
}

/** A non-negative integer in base62, left-padded with `0`. */
export function base62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = ALPHABET.charAt(rest % 62) + text;
  }
  return text;
}

/** The number that `base62` has written. */
export function fromBase62(digits: string): number {
  let value = 0;
  for (const digit of digits) value = value * 62 + ALPHABET.indexOf(digit);
  return value;
}

/** When an ID was made, in microseconds since 1970. */
export function microsecondsOf(id: string): number {
  const [, time = ""] = id.split("_");
  return fromBase62(time.slice(0, TIME_LENGTH));
}
