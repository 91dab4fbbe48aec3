import { CODE_CLASSES } from "@/lib/platform/code-classes";
import { addHighlight, rangeIn } from "./highlights";

export type Language = "json" | "html" | "markdown";

/** Colours a text node without elements. Returns a function that removes the colours. */
export async function colour(node: Text, language: Language): Promise<() => void> {
  const { SugarHigh } = await import("sugar-high/core");
  const ranges = new Map<string, Range[]>();
  let at = 0;
  for (const [type, text] of await TOKENS[language](node.data)) {
    const name = CODE_CLASSES[SugarHigh.TokenTypes[type] ?? ""];
    if (name !== undefined) {
      const named = ranges.get(name) ?? [];
      named.push(rangeIn(node, at, at + text.length));
      ranges.set(name, named);
    }
    at += text.length;
  }
  const removals = Array.from(ranges, ([name, found]) => addHighlight(name, found));
  return () => {
    for (const remove of removals) remove();
  };
}

/** Markup without spaces takes quadratic time, so only its beginning is coloured. */
const MARKUP_CHARACTERS_MAX = 20_000;

const TOKENS: Record<Language, (text: string) => Promise<[type: number, text: string][]>> = {
  async json(text) {
    const { tokenize } = await import("sugar-high/core");
    return tokenize(text, await import("sugar-high/lang/json"));
  },
  async html(text) {
    const html = await import("sugar-high/lang/html");
    return html.tokenize(text.slice(0, MARKUP_CHARACTERS_MAX), html);
  },
  async markdown(text) {
    const { tokenize } = await import("sugar-high/core");
    const markdown = await import("sugar-high/lang/markdown");
    return tokenize(text.slice(0, MARKUP_CHARACTERS_MAX), markdown);
  },
};
