import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { tagOf } from "@/lib/api/tags";
import { acceptedCoding } from "@/lib/platform/http/accept";
import type { Operation } from "@/lib/platform/http/operation";
import { HttpResponse } from "@/lib/platform/http/response";
import { remembered } from "@/lib/platform/memoize";

const COMPRESSIBLE = /^text\/|[/+]json\b|javascript/;
/** More than there are; a bound so that the map cannot grow without end. */
const KEPT_MAX = 1000;

const CODINGS = {
  br: (content: Buffer) =>
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (content: Buffer) => promisify(gzip)(content),
};

type Coding = keyof typeof CODINGS;

/** Compresses the documents that describe the service, each once per coding. */
export class CompressedDocuments {
  readonly #kept = new Map<string, Promise<Buffer<ArrayBuffer>>>();

  /** The response in a coding that the client accepts, if it is such a document. */
  async compress(
    [operation]: readonly Operation[],
    request: IncomingMessage,
    response: HttpResponse,
  ): Promise<HttpResponse> {
    const { status, body } = response;
    if (!operation || tagOf(operation) !== "Discovery") return response;
    if (body instanceof ReadableStream) return response;
    const type = response.headers["Content-Type"];
    if (type === undefined || !COMPRESSIBLE.test(type)) return response;
    const headers = { ...response.headers };
    const vary = [...(headers.Vary?.split(", ") ?? []), "Accept-Encoding"];
    headers.Vary = [...new Set(vary)].join(", ");
    const accepted = request.headers["accept-encoding"];
    const coding = acceptedCoding(String(accepted ?? ""), ["br", "gzip"] as const);
    const tag = headers.ETag;
    // Different bytes with the same meaning (RFC 9110 §8.8.1).
    if (coding && tag) headers.ETag = `W/${tag}`;
    if (coding) delete headers["Content-Length"];
    if (coding && status !== 304) headers["Content-Encoding"] = coding;
    if (body === null) return new HttpResponse(status, headers, null);
    const bytes = coding ? await this.#bytes(coding, body, tag) : Buffer.from(body);
    headers["Content-Length"] = String(bytes.length);
    return new HttpResponse(status, headers, bytes);
  }

  /** Kept by the tag. Without it, documents that change, such as the health, would fill the map. */
  async #bytes(coding: Coding, body: string | Uint8Array, tag: string | undefined) {
    const compress = () => CODINGS[coding](Buffer.from(body));
    if (tag === undefined) return compress();
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
    return remembered(this.#kept, `${coding} ${tag}`, compress);
  }
}
