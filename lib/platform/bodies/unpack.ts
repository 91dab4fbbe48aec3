import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  constants as zlib,
} from "node:zlib";
import { wholeCharacters } from "./whole-characters";

/** The maximum size of an unpacked body; the rest is not unpacked. */
export const UNPACKED_BYTES_MAX = 5_000_000;
/** More encodings than any sender applies. */
const ENCODINGS_MAX = 3;

export interface Unpacked {
  bytes: Buffer;
  /** For example `gzip`; null if the bytes were not compressed. */
  encoding: string | null;
  /** How far it was unpacked. `unknown`: not at all; the bytes are unchanged. */
  extent: "all" | "limit" | "damaged" | "unknown";
}

/**
 * Undoes a `Content-Encoding`: gzip, deflate or br. Gzip is also recognized by its first bytes.
 * Never throws; a damaged body yields the part before the damage.
 */
export async function unpack(bytes: Buffer, contentEncoding: string | null): Promise<Unpacked> {
  const encodings = encodingsOf(bytes, contentEncoding);
  if (encodings.length === 0 || bytes.length === 0) return { bytes, encoding: null, extent: "all" };
  const encoding = encodings.join(", ");
  if (encodings.length > ENCODINGS_MAX || !encodings.every((one) => Object.hasOwn(DECODERS, one))) {
    return { bytes, encoding, extent: "unknown" };
  }
  let unpacked: Unpacked = { bytes, encoding, extent: "all" };
  for (const one of encodings.toReversed()) {
    const next = await decompress(unpacked.bytes, one);
    // Unlike the others, br does not fail on data that was never compressed.
    if (next.bytes.length === 0 && (next.extent === "damaged" || one === "br")) {
      return { bytes, encoding, extent: "unknown" };
    }
    const extent = unpacked.extent === "all" ? next.extent : unpacked.extent;
    unpacked = { bytes: next.bytes, encoding, extent };
  }
  return unpacked.extent === "all"
    ? unpacked
    : { ...unpacked, bytes: wholeCharacters(unpacked.bytes) };
}

function encodingsOf(bytes: Buffer, contentEncoding: string | null): string[] {
  const named = (contentEncoding ?? "")
    .toLowerCase()
    .split(",")
    .map((one) => one.trim().replace(/^x-/, ""))
    .filter((one) => one !== "" && one !== "identity");
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
  return named.length === 0 && isGzip ? ["gzip"] : named;
}

/** `finishFlush` keeps the content of a body that was cut off. */
const ZLIB_OPTIONS = { chunkSize: 131_072, finishFlush: zlib.Z_SYNC_FLUSH };

const DECODERS: Record<string, (bytes: Buffer) => NodeJS.ReadWriteStream> = {
  gzip: () => createGunzip(ZLIB_OPTIONS),
  // Some senders leave out the zlib header.
  deflate: (bytes) =>
    hasZlibHeader(bytes) ? createInflate(ZLIB_OPTIONS) : createInflateRaw(ZLIB_OPTIONS),
  br: () =>
    createBrotliDecompress({ chunkSize: 131_072, finishFlush: zlib.BROTLI_OPERATION_FLUSH }),
};

function hasZlibHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

/** Decompresses in the thread pool, and stops at the limit. */
async function decompress(
  bytes: Buffer,
  encoding: string,
): Promise<Pick<Unpacked, "bytes" | "extent">> {
  const chunks: Buffer[] = [];
  let size = 0;
  const result = (extent: Unpacked["extent"]) => ({
    bytes: Buffer.concat(chunks).subarray(0, UNPACKED_BYTES_MAX),
    extent,
  });
  const stream = DECODERS[encoding]?.(bytes);
  if (!stream) return result("damaged");
  stream.end(bytes);
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > UNPACKED_BYTES_MAX) return result("limit");
    }
  } catch {
    return result("damaged");
  }
  return result("all");
}
