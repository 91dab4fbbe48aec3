import { base62, fromBase62, looksLikeId } from "@/lib/platform/db/ids";

/** A position in the feed: a transaction and a row in it. Later changes compare as greater. */
export interface Position {
  xid: number;
  id: number;
}

export const START: Position = { xid: 0, id: 0 };

/** The number that a restore adds to the IDs of changes that it moves to an earlier transaction. */
export const MOVED_ID = 2 ** 50;

const XID_LENGTH = 12;
const ID_LENGTH = 13;

/** The text of a position, which is also the ID of the change there. */
export function textOf({ xid, id }: Position): string {
  return `chg_${base62(xid, XID_LENGTH)}${base62(id, ID_LENGTH)}`;
}

/** Parses a position; undefined if the text is not one. `chg_0` precedes all changes. */
export function positionOf(text: string): Position | undefined {
  if (text === "chg_0") return START;
  if (!looksLikeId("chg", text)) return undefined;
  const digits = text.slice("chg_".length);
  const position = {
    xid: numberOf(digits.slice(0, XID_LENGTH)),
    id: numberOf(digits.slice(XID_LENGTH)),
  };
  return textOf(position) === text ? position : undefined;
}

export function isBefore(one: Position, other: Position): boolean {
  return one.xid < other.xid || (one.xid === other.xid && one.id < other.id);
}

/** A number that is too large to be exact becomes a smaller one. */
function numberOf(digits: string): number {
  return Math.min(fromBase62(digits), Number.MAX_SAFE_INTEGER);
}
