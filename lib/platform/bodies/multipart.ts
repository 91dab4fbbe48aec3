import { boundaryOf } from "./content";

/** More parts than anyone will read. */
const PARTS_MAX = 100;
/** Some are not followed by a part. */
const DELIMITERS_MAX = 10 * PARTS_MAX;
const HEADER_BYTES_MAX = 8192;

export interface Part {
  name: string | null;
  fileName: string | null;
  type: string | null;
  bytes: Buffer;
}

/** The first `PARTS_MAX` parts of a multipart body, in order; the last may be cut off. */
export function multipartParts(bytes: Buffer, contentType: string | null): Part[] {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return [];
  // With the line break before it.
  const delimiter = Buffer.from(`\n--${boundary}`, "latin1");
  const parts: Part[] = [];
  let at = firstDelimiter(bytes, delimiter);
  for (let n = 0; at !== -1 && n < DELIMITERS_MAX && parts.length < PARTS_MAX; n += 1) {
    const line = at + delimiter.length - 1;
    if (bytes.toString("latin1", line, line + 2) === "--") break;
    const start = bytes.indexOf("\n", line);
    if (start === -1) break;
    const next = nextDelimiter(bytes, delimiter, start);
    const end = next === -1 ? bytes.length : next;
    const part = partOf(bytes.subarray(start + 1, endOfContent(bytes, start + 1, end, next)));
    if (part) parts.push(part);
    at = next;
  }
  return parts;
}

function firstDelimiter(bytes: Buffer, delimiter: Buffer): number {
  const isFirst = bytes.subarray(0, delimiter.length - 1).equals(delimiter.subarray(1));
  return isFirst ? 0 : nextDelimiter(bytes, delimiter, 0);
}

/** A delimiter begins a line. */
function nextDelimiter(bytes: Buffer, delimiter: Buffer, from: number): number {
  const found = bytes.indexOf(delimiter, from);
  return found === -1 ? -1 : found + 1;
}

/** The line break before a delimiter belongs to the delimiter. */
function endOfContent(bytes: Buffer, start: number, end: number, next: number): number {
  if (next === -1) return end;
  return Math.max(start, bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1);
}

const CARRIAGE_RETURN = 13;

function partOf(bytes: Buffer): Part | undefined {
  const start = bytes.subarray(0, HEADER_BYTES_MAX).toString("latin1");
  const blank = /^\r?\n/.exec(start) ?? /\r?\n\r?\n/.exec(start);
  if (!blank) return undefined;
  const headers = Buffer.from(start.slice(0, blank.index), "latin1").toString("utf8");
  const disposition = headerOf(headers, "content-disposition") ?? "";
  return {
    name: parameterOf(disposition, "name"),
    fileName: extendedName(disposition) ?? parameterOf(disposition, "filename"),
    type: headerOf(headers, "content-type"),
    bytes: bytes.subarray(blank.index + blank[0].length),
  };
}

function headerOf(headers: string, name: string): string | null {
  for (const line of headers.split("\n")) {
    const colon = line.indexOf(":");
    if (line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return null;
}

/** The value of `name="…"`. Browsers escape a quotation mark as %22, others as \". */
function parameterOf(disposition: string, name: string): string | null {
  const quoted = new RegExp(`;\\s*${name}="((?:\\\\.|[^"\\\\])*)"`, "i").exec(disposition)?.[1];
  if (quoted !== undefined) return quoted.replaceAll('\\"', '"').replaceAll("%22", '"');
  return new RegExp(`;\\s*${name}=([^\\s;"]+)`, "i").exec(disposition)?.[1] ?? null;
}

/** `filename*=UTF-8''…` (RFC 8187). */
function extendedName(disposition: string): string | null {
  const encoded = /;\s*filename\*=utf-8'[^']*'([^\s;]+)/i.exec(disposition)?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
