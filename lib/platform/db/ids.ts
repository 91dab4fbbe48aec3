import { customAlphabet } from "nanoid";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
export const TIME_LENGTH = 9; // 62^9 microseconds reach the year 2398
export const RANDOM_LENGTH = 16; // 95.3 bits: the ID of a public resource grants access to it

const randomPart = customAlphabet(ALPHABET, RANDOM_LENGTH);
let lastMicroseconds = 0;

/**
 * Makes an ID: prefix, microseconds since 1970 and random characters, in base62 with its alphabet
 * in byte order. Strictly increasing within a process, so IDs sort by creation.
 */
export function newId(prefix: string): string {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  lastMicroseconds = Math.max(now, lastMicroseconds + 1);
  return `${prefix}_${base62(lastMicroseconds, TIME_LENGTH)}${randomPart()}`;
}

/**
 * Whether the text has the form of an ID, whether or not it exists. `wev_0` sorts before all
 * others.
 */
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

/** Cryptographically random base62 characters. */
export function randomBase62(length: number): string {
  return randomPart(length);
}
