import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, rmSync } from "node:fs";
import { type FileHandle, open, rename, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createGunzip, createGzip } from "node:zlib";
import * as z from "zod";
import { OperatorError } from "@/lib/platform/operator-error";

/**
 * A backup is a gzip file of blocks: the header; for each table its description, its data and an
 * end; the footer; and last the SHA-256 of everything before it. A block is its kind, its length in
 * four bytes, and that many bytes.
 */
const FORMAT = "agent-infrastructure-backup";
const VERSION = 1;
const BLOCK_BYTES_MAX = 1_000_000;
const BLOCK_START_BYTES = 5;

export const Header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  /** Unix seconds by the database's clock. */
  taken_at: z.int(),
  service_version: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** See `secretMark`; empty if the secret was not known. */
  secret_mark: z.string(),
  /** See `CHANGE_HORIZON`. */
  change_horizon: z.int(),
});
export type Header = z.infer<typeof Header>;

const Table = z.object({ table: z.string(), columns: z.array(z.string()) });
export type Table = z.infer<typeof Table>;

const Footer = z.object({
  rows: z.record(z.string(), z.int()),
  /** The last value of each sequence. */
  sequences: z.record(z.string(), z.int()),
});
export type Footer = z.infer<typeof Footer>;

export type Part =
  | { kind: "header"; header: Header }
  | { kind: "table"; table: Table }
  | { kind: "data"; data: Buffer }
  /** The end of a table. */
  | { kind: "end" }
  | { kind: "footer"; footer: Footer };

const KINDS = { header: "H", table: "T", data: "D", end: "E", footer: "F", checksum: "C" };

export function headerOf(given: Omit<Header, "format" | "version">): Header {
  return { format: FORMAT, version: VERSION, ...given };
}

/**
 * Writes the parts to a file that only its owner can read. The file appears once it is complete and
 * on disk, replacing an existing one; an exit of the process leaves nothing. Returns its size in bytes.
 */
export async function writeBackup(file: string, parts: AsyncIterable<Part>): Promise<number> {
  const temporary = `${file}.${process.pid}.partial`;
  const discard = () => rmSync(temporary, { force: true });
  process.once("exit", discard);
  const target = createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true });
  try {
    await pipeline(blocksOf(parts), createGzip({ level: constants.Z_BEST_SPEED }), target);
    const { size } = await stat(temporary);
    await rename(temporary, file);
    await syncFolder(path.dirname(file));
    return size;
  } catch (error) {
    const isOfFile = error instanceof Error && "syscall" in error;
    throw isOfFile ? unwritable(error) : error;
  } finally {
    discard();
    process.off("exit", discard);
  }
}

function unwritable(cause: Error): OperatorError {
  return new OperatorError(`The backup cannot be written: ${cause.message}.`, { cause });
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch((): FileHandle | undefined => undefined);
  // Windows cannot sync a folder.
  await handle?.sync().catch(() => {});
  await handle?.close();
}

async function* blocksOf(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const part of parts) {
    for (const bytes of [startOf(part.kind, bytesOf(part).length), bytesOf(part)]) {
      hash.update(bytes);
      yield bytes;
    }
  }
  const digest = hash.digest();
  yield Buffer.concat([startOf("checksum", digest.length), digest]);
}

function startOf(kind: keyof typeof KINDS, length: number): Buffer {
  const start = Buffer.alloc(BLOCK_START_BYTES, KINDS[kind]);
  start.writeUInt32BE(length, 1);
  return start;
}

function bytesOf(part: Part): Buffer {
  if (part.kind === "data") return part.data;
  if (part.kind === "end") return Buffer.alloc(0);
  const content =
    part.kind === "header" ? part.header : part.kind === "table" ? part.table : part.footer;
  return Buffer.from(JSON.stringify(content));
}

/** The parts of a backup, which is complete once the last is read. Throws `OperatorError`. */
export async function* readBackup(file: string): AsyncGenerator<Part> {
  const hash = createHash("sha256");
  const bytes = new ByteReader(decompress(file));
  try {
    for (let isFirst = true; ; isFirst = false) {
      const start = await bytes.take(BLOCK_START_BYTES);
      const problem = isFirst ? foreign(file) : damaged(file);
      if (start.length < BLOCK_START_BYTES) throw problem;
      const length = start.readUInt32BE(1);
      const kind = kindOf(start);
      if (!kind || length > BLOCK_BYTES_MAX || (isFirst && kind !== "header")) throw problem;
      const content = await bytes.take(length);
      if (kind === "checksum") {
        if (!content.equals(hash.digest())) throw problem;
        return;
      }
      hash.update(start).update(content);
      if (content.length < length) throw problem;
      yield partOf(kind, content, file);
    }
  } finally {
    await bytes.close();
  }
}

function kindOf(start: Buffer): keyof typeof KINDS | undefined {
  const letter = String.fromCharCode(start.readUInt8(0));
  const [found] = Object.entries(KINDS).find(([, given]) => given === letter) ?? [];
  return found as keyof typeof KINDS | undefined;
}

function partOf(
  kind: Exclude<keyof typeof KINDS, "checksum">,
  content: Buffer,
  file: string,
): Part {
  if (kind === "data") return { kind, data: content };
  if (kind === "end") return { kind };
  try {
    const value: unknown = JSON.parse(content.toString());
    if (kind === "table") return { kind, table: Table.parse(value) };
    if (kind === "footer") return { kind, footer: Footer.parse(value) };
    assertVersion(value, file);
    return { kind, header: Header.parse(value) };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw kind === "header" ? foreign(file) : damaged(file);
  }
}

function assertVersion(header: unknown, file: string): void {
  const { format, version } = Object(header);
  if (format !== FORMAT || !(version > VERSION)) return;
  throw new OperatorError(
    `${file} was made by a newer version of the service: restore it with that version.`,
  );
}

async function* decompress(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const content = createGunzip();
  source.once("error", (error) => content.destroy(error));
  try {
    yield* source.pipe(content);
  } catch (error) {
    throw readError(error, file);
  } finally {
    source.destroy();
  }
}

function readError(error: unknown, file: string): Error {
  const { code = "", message = "" } = error instanceof Error ? Object(error) : {};
  if (message === "incorrect header check") return foreign(file);
  if (String(code).startsWith("Z_")) return damaged(file);
  return new OperatorError(`${file} cannot be read: ${message || error}.`, { cause: error });
}

function foreign(file: string): OperatorError {
  return new OperatorError(`${file} is not a backup of this service.`);
}

function damaged(file: string): OperatorError {
  return new OperatorError(
    `${file} is damaged or incomplete. Nothing was changed: use another backup.`,
  );
}

class ByteReader {
  private readonly chunks: AsyncGenerator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncGenerator<Buffer>) {
    this.chunks = chunks;
  }

  /** The next bytes; fewer at the end. */
  async take(length: number): Promise<Buffer> {
    const parts = [this.rest];
    let size = this.rest.length;
    while (size < length) {
      const next = await this.chunks.next();
      if (next.done) break;
      parts.push(next.value);
      size += next.value.length;
    }
    const bytes = parts.length === 1 ? this.rest : Buffer.concat(parts, size);
    this.rest = bytes.subarray(length);
    return bytes.subarray(0, length);
  }

  async close(): Promise<void> {
    await this.chunks.return(undefined);
  }
}
