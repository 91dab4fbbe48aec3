import { isUtf8 } from "node:buffer";

/** The kind of a body, by its bytes first and its declared type second. */
export interface Content {
  kind:
    | "json"
    | "form"
    | "multipart"
    | "xml"
    | "svg"
    | "html"
    | "image"
    | "pdf"
    | "text"
    | "binary";
  /** The body as text; null if it is not text. */
  text: string | null;
  /** The character encoding of the text. */
  charset: string;
  imageType: string | null;
}

/** Longer texts are recognized by their first characters. */
const START_CHARACTERS = 1000;

/** Describes untrusted bytes. `contentType` is what the sender declared. */
export function detectContent(bytes: Buffer, contentType: string | null): Content {
  const imageType = imageTypeOf(bytes);
  if (imageType) return { kind: "image", text: null, charset: "", imageType };
  if (bytes.subarray(0, 5).equals(PDF)) return { kind: "pdf", text: null, charset: "", imageType };
  const declared = mediaTypeOf(contentType);
  const found = { ...textOf(bytes, declared, contentType), imageType };
  if (declared.startsWith("multipart/") && boundaryOf(contentType) !== null) {
    return { kind: "multipart", ...found };
  }
  return { kind: found.text === null ? "binary" : kindOfText(found.text, declared), ...found };
}

function kindOfText(text: string, declared: string): Content["kind"] {
  const start = text
    .slice(0, START_CHARACTERS)
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (declared.endsWith("/json") || declared.endsWith("+json") || /^[{[]/.test(start)) {
    return "json";
  }
  if (declared === FORM) return "form";
  if (declared === "image/svg+xml" || /^(?:<\?xml[^>]*>\s*)?<svg\b/i.test(start)) return "svg";
  if (HTML_TYPES.has(declared) || /^<(?:!doctype html|html)\b/i.test(start)) return "html";
  if (declared.endsWith("/xml") || declared.endsWith("+xml") || /^<\?xml\b/.test(start)) {
    return "xml";
  }
  return "text";
}

const FORM = "application/x-www-form-urlencoded";
const HTML_TYPES = new Set(["text/html", "application/xhtml+xml"]);
const PDF = Buffer.from("%PDF-");

/** The media type of a `Content-Type` header, in lower case; empty if there is none. */
export function mediaTypeOf(contentType: string | null): string {
  return contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The boundary of a multipart body. */
export function boundaryOf(contentType: string | null): string | null {
  const found = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType ?? "");
  return found?.[1] ?? found?.[2] ?? null;
}

/** The bytes as text if they are UTF-8, or text in the declared encoding. */
function textOf(
  bytes: Buffer,
  declared: string,
  contentType: string | null,
): Pick<Content, "text" | "charset"> {
  // Unlike a TextDecoder, keeps a byte order mark.
  if (isUtf8(bytes)) return { text: bytes.toString("utf8"), charset: "utf-8" };
  const isText =
    declared.startsWith("text/") || /[/+](?:json|xml)$/.test(declared) || declared === FORM;
  const label = /;\s*charset="?([\w-]{1,40})"?/i.exec(contentType ?? "")?.[1];
  if (!isText || label === undefined) return { text: null, charset: "" };
  try {
    const decoder = new TextDecoder(label, { ignoreBOM: true });
    return { text: decoder.decode(bytes), charset: decoder.encoding };
  } catch {
    return { text: null, charset: "" };
  }
}

/** The type of an image by its first bytes. Only formats that cannot hold scripts. */
function imageTypeOf(bytes: Buffer): string | null {
  const start = bytes.toString("latin1", 0, 16);
  if (start.startsWith("\x89PNG\r\n\x1A\n")) return "image/png";
  if (start.startsWith("\xFF\xD8\xFF")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return "image/webp";
  if (/^[\s\S]{4}ftypavi[fs]/.test(start)) return "image/avif";
  return null;
}
