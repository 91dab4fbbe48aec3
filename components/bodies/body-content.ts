import { type Content, detectContent } from "@/lib/platform/bodies/content";
import { multipartParts, type Part } from "@/lib/platform/bodies/multipart";
import { type Unpacked, unpack } from "@/lib/platform/bodies/unpack";
import { formPairs, type Pair } from "./form-pairs";
import { characterBudget, type JsonValue, jsonValue, layOutJson } from "./json-value";
import { layOutXml } from "./xml-layout";

/** Longer texts are shown in parts. */
export const CHARACTERS_MAX = 50_000;
export const HEX_BYTES_MAX = 4096;
/** More pairs than anyone will read. */
const PAIRS_MAX = 300;
const PAIRS_CHARACTERS_MAX = 30_000;

export type BodyChoice = "pretty" | "preview" | "raw" | "hex";

/** The formatted view for a body's type. `isCut`: only the beginning of the body is shown. */
export type Pretty =
  | { as: "tree"; value: JsonValue; isCut: false }
  | { as: "text"; language: "json" | "html"; text: string; isCut: boolean }
  | { as: "pairs"; pairs: Pair[]; isCut: boolean }
  | { as: "parts"; parts: Part[]; isCut: boolean };

export interface BodyContent extends Content {
  packed: Unpacked;
  pretty: Pretty | undefined;
  views: BodyChoice[];
  best: BodyChoice;
}

/** The content of an untrusted body, and the ways to show it. Work and output are bounded. */
export async function readBody(
  stored: Buffer,
  about: { contentType: string | null; contentEncoding: string | null; truncated: boolean },
): Promise<BodyContent> {
  const packed = await unpack(stored, about.contentEncoding);
  const content = detectContent(packed.bytes, about.contentType);
  const isPart = about.truncated || packed.extent !== "all";
  const pretty = prettyOf(packed.bytes, content, about.contentType, isPart);
  const hasPreview = ["image", "svg", "html", "pdf"].includes(content.kind);
  const views: BodyChoice[] = [
    ...(pretty ? (["pretty"] as const) : []),
    ...(hasPreview ? (["preview"] as const) : []),
    ...(content.text === null ? [] : (["raw"] as const)),
    "hex",
  ];
  // A document may contain anything, so its preview is shown only on request.
  const best = views.find((view) => view !== "preview" || content.text === null) ?? "hex";
  return { ...content, packed, pretty, views, best };
}

/** `isPart`: the end of the body is missing, so the text may be incomplete. */
function prettyOf(
  bytes: Buffer,
  { kind, text }: Content,
  contentType: string | null,
  isPart: boolean,
): Pretty | undefined {
  if (kind === "multipart") {
    const parts = multipartParts(bytes, contentType);
    return parts.length > 0 ? { as: "parts", parts, isCut: isPart } : undefined;
  }
  if (text === null) return undefined;
  if (kind === "json") return prettyJson(text, isPart);
  if (kind === "form") {
    const { pairs, isCut } = formPairs(text, PAIRS_MAX, PAIRS_CHARACTERS_MAX);
    return pairs.length > 0 ? { as: "pairs", pairs, isCut } : undefined;
  }
  if (kind === "xml" || kind === "svg") {
    const laidOut = layOutXml(text, CHARACTERS_MAX);
    return { as: "text", language: "html", text: laidOut.text, isCut: laidOut.isCut };
  }
  return undefined;
}

function prettyJson(text: string, isPart: boolean): Pretty | undefined {
  const value = text.length <= CHARACTERS_MAX ? jsonValue(text, characterBudget()) : undefined;
  if (value) return { as: "tree", value, isCut: false };
  const laidOut = layOutJson(text, CHARACTERS_MAX);
  if (laidOut.end === "invalid" || (laidOut.end === "cut" && !isPart)) return undefined;
  return { as: "text", language: "json", text: laidOut.text, isCut: laidOut.end === null };
}
