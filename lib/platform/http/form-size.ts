import { ApiError } from "@/lib/platform/errors";

/** More than any form of these pages has: the largest answers a question with 20 fields and 500 choices. */
const PARTS_MAX = 2000;
/** More than any action takes: the largest undoes changes of 100 tasks with 50 labels each. */
const VALUES_MAX = 10_000;
/** Mail programs post here with any boundary (RFC 8058). The body is not parsed. */
const ONE_CLICK = /^\/notices\/[^/?]+\/stop(?:\?|$)/;

/** The header of a text field, as browsers send it, with the first letter of its name. */
const FIELD_HEADER = /^\r\nContent-Disposition: form-data; name="([a-z_$])[^"\r\n]*"\r\n\r\n/;
const FIELD_HEADER_BYTES_MAX = 1000;
const [QUOTE, BACKSLASH, ...OPENING] = Buffer.from('"\\[{,');

/**
 * Refuses what no page sends, before it is parsed: too many parts, or too many JSON values, of which React
 * takes a second for 30,000. `path` is where the form was sent, with or without its query. Throws 400 and 413.
 */
export function assertForm(
  body: Buffer,
  headers: { get(name: string): string | null },
  path: string,
): void {
  if (ONE_CLICK.test(path)) return;
  const contentType = headers.get("content-type") ?? "";
  const boundary = FORM_TYPE.exec(contentType)?.[1];
  if (boundary === undefined && contentType.startsWith("multipart/form-data")) {
    throw new ApiError(
      "invalid_request",
      "Send the form as multipart/form-data with a plain boundary.",
    );
  }
  // Next parses any other type as the JSON of an action's arguments.
  const isExcessive =
    boundary === undefined
      ? headers.get("next-action") !== null && valuesIn(body, true) > VALUES_MAX
      : hasTooMany(body, `--${boundary}`);
  if (isExcessive) {
    throw new ApiError("payload_too_large", "The form has too many fields or values.");
  }
}

/** Refuses a form that Next would fail to parse, and answer with 500. Takes the same. Throws 400. */
export async function assertReadable(
  body: Buffer<ArrayBuffer>,
  headers: { get(name: string): string | null },
  path: string,
): Promise<void> {
  const type = headers.get("content-type") ?? "";
  if (!FORM_TYPE.test(type) || ONE_CLICK.test(path)) return;
  const parsing = new Response(body, { headers: { "Content-Type": type } }).formData();
  await parsing.catch(() => {
    throw unreadableForm();
  });
}

export function unreadableForm(): ApiError {
  const message = "The form could not be read. Reload the page and send it again.";
  return new ApiError("invalid_request", message);
}

/** Whether a form has too many parts, or too many values in those that React may take for JSON. */
function hasTooMany(body: Buffer, delimiter: string): boolean {
  let parts = 0;
  let values = 0;
  let hasArguments = false;
  for (let at = body.indexOf(delimiter); at !== -1; ) {
    const begin = at + delimiter.length;
    at = body.indexOf(delimiter, begin);
    const part = body.subarray(begin, at === -1 ? undefined : at);
    const [head, first] =
      FIELD_HEADER.exec(part.toString("latin1", 0, FIELD_HEADER_BYTES_MAX)) ?? [];
    // Any other part has arguments. They may refer to any part after them; pages send them last.
    hasArguments ||= head === undefined;
    if (hasArguments) values += valuesIn(part, false);
    // A form without scripts begins with an action and its earlier result in `$ACTION_…`.
    else if (first === "$") values += valuesIn(part.subarray(head?.length), true);
    parts += 1;
    if (parts > PARTS_MAX || values > VALUES_MAX) return true;
  }
  return false;
}

/**
 * An upper bound of the values in JSON: all but the outermost follow a bracket or a comma. If `isWhole`, those in
 * strings are skipped; a fragment may begin in a string.
 */
function valuesIn(json: Buffer, isWhole: boolean): number {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    if (isWhole && byte === QUOTE) isInString = !isInString;
    else if (isInString && byte === BACKSLASH) at += 1;
    else if (!isInString && OPENING.includes(byte)) count += 1;
  }
  return count;
}

/** A form's `Content-Type` as browsers send it, and its boundary. Parsers disagree about other spellings. */
export const FORM_TYPE = /^multipart\/form-data; boundary=([\w-]{1,70})$/;
