import { notFound } from "@/lib/platform/errors";
import { HttpResponse } from "@/lib/platform/http/response";
import { detectContent } from "./content";
import { multipartParts } from "./multipart";
import { unpack } from "./unpack";

/** An untrusted body, with the type its sender declared. */
export interface StoredBody {
  bytes: Buffer;
  contentType: string | null;
  contentEncoding: string | null;
}

/** Which bytes of a body to return. */
export interface Choice {
  /** With its `Content-Encoding` undone. */
  unpacked: boolean;
  /** The number of a part of a multipart body, from 1. */
  part: number | null;
}

/** Reads the choice from the query parameters `unpacked` and `part`. */
export function choiceOf(url: string): Choice {
  const { searchParams } = new URL(url);
  const part = searchParams.get("part");
  return { unpacked: searchParams.has("unpacked"), part: part === null ? null : Number(part) };
}

/** A download, which no browser may render or run on our origin. */
export async function downloadResponse(
  stored: StoredBody,
  choice: Choice,
  fileName: string,
): Promise<HttpResponse> {
  const { bytes } = await chosenBytes(stored, choice);
  return new HttpResponse(
    200,
    {
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Content-Security-Policy": "sandbox",
      ...PRIVATE,
    },
    new Uint8Array(bytes),
  );
}

/**
 * A preview of an image, PDF, HTML document or text. Documents run no scripts and load nothing, so
 * the sender does not learn who opened them. Throws 404 for anything else.
 */
export async function previewResponse(stored: StoredBody, choice: Choice): Promise<HttpResponse> {
  const { bytes, contentType } = await chosenBytes(stored, { ...choice, unpacked: true });
  const { kind, text, imageType } = detectContent(bytes, contentType);
  if (kind === "image" && imageType !== null) {
    return inline(imageType, DOCUMENT_POLICY, new Uint8Array(bytes));
  }
  // Browsers show PDFs in a sandboxed viewer, which does not start inside another sandbox.
  if (kind === "pdf") return inline("application/pdf", FRAME_POLICY, new Uint8Array(bytes));
  if (kind === "svg") return inline("image/svg+xml; charset=utf-8", DOCUMENT_POLICY, text ?? "");
  if (kind === "html") return inline("text/html; charset=utf-8", DOCUMENT_POLICY, text ?? "");
  if (text !== null) return inline("text/plain; charset=utf-8", DOCUMENT_POLICY, text);
  throw notFound("preview", kind);
}

async function chosenBytes(
  stored: StoredBody,
  { unpacked, part }: Choice,
): Promise<Pick<StoredBody, "bytes" | "contentType">> {
  const { contentType, contentEncoding } = stored;
  if (!unpacked && part === null) return stored;
  const { bytes } = await unpack(stored.bytes, contentEncoding);
  if (part === null) return { bytes, contentType };
  const found = multipartParts(bytes, contentType)[part - 1];
  if (!found) throw notFound("part", String(part));
  return { bytes: found.bytes, contentType: found.type };
}

function inline(
  type: string,
  policy: string,
  body: string | Uint8Array<ArrayBuffer>,
): HttpResponse {
  const headers = {
    "Content-Type": type,
    "Content-Security-Policy": policy,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    ...PRIVATE,
  };
  return new HttpResponse(200, headers, body);
}

const PRIVATE = { "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store" };
const FRAME_POLICY = "frame-ancestors 'self'";
const DOCUMENT_POLICY = `${FRAME_POLICY}; sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
