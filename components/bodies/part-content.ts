import { detectContent } from "@/lib/platform/bodies/content";
import type { Part } from "@/lib/platform/bodies/multipart";
import { truncate } from "@/lib/platform/truncate";
import { characterBudget, type JsonValue, jsonValue } from "./json-value";

const TEXT_CHARACTERS_MAX = 2000;
const NAME_CHARACTERS_MAX = 100;
/** A part's line takes as much HTML as this many characters. */
const LINE_CHARACTERS = 100;

export interface ShownPart {
  name: string | null;
  fileName: string | null;
  type: string | null;
  size: number;
  content: PartContent;
}

type PartContent =
  | { as: "tree"; value: JsonValue }
  /** `length` is that of the whole text, of which `text` is the beginning. */
  | { as: "text"; text: string; length: number }
  | { as: "image" }
  | { as: "nothing" };

/** The parts of a multipart body. Once the budget is used up, later parts show only their names. */
export function shownParts(parts: Part[]): ShownPart[] {
  const named = parts.map((part) => ({ ...part, ...namesOf(part) }));
  const budget = characterBudget();
  for (const { name, fileName, type } of named) {
    budget.left -= LINE_CHARACTERS + [name, fileName, type].join("").length;
  }
  return named.map(({ name, fileName, type, bytes }, index) => {
    const content = contentIn(bytes, parts[index]?.type ?? null);
    return { name, fileName, type, size: bytes.length, content };
  });

  function contentIn(bytes: Buffer, type: string | null): PartContent {
    const { kind, text } = detectContent(bytes, type);
    if (kind === "image") return { as: "image" };
    if (text === null || text === "" || budget.left <= 0) return { as: "nothing" };
    const isShort = text.length <= TEXT_CHARACTERS_MAX;
    const value = kind === "json" && isShort ? jsonValue(text, budget) : undefined;
    if (value) return { as: "tree", value };
    const shown = truncate(text, Math.min(TEXT_CHARACTERS_MAX, budget.left));
    budget.left -= shown.length;
    return { as: "text", text: shown, length: text.length };
  }
}

function namesOf({ name, fileName, type }: Part) {
  const short = (text: string | null) => text && truncate(text, NAME_CHARACTERS_MAX);
  return { name: short(name), fileName: short(fileName), type: short(type) };
}
