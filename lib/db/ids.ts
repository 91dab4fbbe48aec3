import { customAlphabet } from "nanoid";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TIME_LENGTH = 9; // 62^9 microseconds last until the year 2398
const RANDOM_LENGTH = 16; // 62^16 is 95.3 bits: for a public resource, the ID is the permission

const randomPart = customAlphabet(ALPHABET, RANDOM_LENGTH);
let lastMicroseconds = 0;

export type IdPrefix =
  | "tsk"
  | "wh"
  | "wev"
  | "art"
  | "shr"
  | "msg"
  | "att"
  | "inbox"
  | "iev"
  | "org"
  | "key"
  | "usr"
  | "reg"
  | "cla"
  | "sgn"
  | "ses"
  | "inv"
  | "evt"
  | "lse"
  | "req";

/**
 * A new ID: the prefix, microseconds since 1970, and random characters, in base62 whose alphabet is
 * in byte order. IDs made by one process rise strictly, so sorting by ID is sorting by creation.
 */
export function newId(prefix: IdPrefix): string {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  lastMicroseconds = Math.max(now, lastMicroseconds + 1);
  return `${prefix}_${base62(lastMicroseconds, TIME_LENGTH)}${randomPart()}`;
}

/** Whether an ID of this kind looks like this, whether or not there ever was one. `wev_0` is before all. */
export function isPossibleId(prefix: IdPrefix, text: string): boolean {
  const rest = text.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : "";
  return (
    rest === "0" || (rest.length === TIME_LENGTH + RANDOM_LENGTH && /^[0-9A-Za-z]+$/.test(rest))
  );
}

/** `value`, a non-negative integer, in base62, padded on the left with `0` to `length`. */
export function base62(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = ALPHABET.charAt(rest % 62) + text;
  }
  return text;
}

/** `length` random base62 characters from the system's secure generator. */
export function randomBase62(length: number): string {
  return randomPart(length);
}
