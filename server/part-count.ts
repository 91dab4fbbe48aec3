/** More than any form of these pages has: the largest answers a question with 20 fields and 500 choices. */
const PARTS_MAX = 2000;

/** One boundary and nothing else, as browsers send it. Parsers differ about what else they take. */
const BOUNDARY = /^multipart\/form-data\s*;\s*boundary=("?)([^\s;"]{1,70})\1\s*$/i;

/** Counts the parts of a form as it arrives, since all are parsed in one go. */
export class PartCount {
  readonly #delimiter: Buffer | undefined;
  #count = 0;
  /** What may be the beginning of a delimiter. */
  #rest: Buffer = Buffer.alloc(0);

  /** For a body with this `Content-Type`. Without a plain boundary, each "--" counts as a delimiter. */
  constructor(contentType = "") {
    if (!/^\s*multipart\//i.test(contentType)) return;
    this.#delimiter = Buffer.from(`--${BOUNDARY.exec(contentType)?.[2] ?? ""}`, "latin1");
  }

  /** Takes the next bytes, and returns whether there are too many parts. */
  exceeds(chunk: Buffer): boolean {
    if (!this.#delimiter) return false;
    const { length } = this.#delimiter;
    const bytes = Buffer.concat([this.#rest, chunk]);
    let end = 0;
    for (;;) {
      const at = bytes.indexOf(this.#delimiter, end);
      if (at === -1) break;
      this.#count += 1;
      end = at + length;
    }
    this.#rest = bytes.subarray(Math.max(end, bytes.length - length + 1));
    return this.#count > PARTS_MAX;
  }
}
