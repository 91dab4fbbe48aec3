import type { Element } from "hast";
import { codeTokens } from "@/lib/platform/code-tokens";

/** Markup without spaces takes quadratic time. */
const BLOCK_CHARACTERS_MAX = 20_000;
const DOCUMENT_CHARACTERS_MAX = 200_000;

/** Returns a function that colours the code of a `<pre>` with a language, for one document. */
export function codeColourer(): (pre: Element) => void {
  let left = DOCUMENT_CHARACTERS_MAX;
  return ({ children }) => {
    const [code, ...others] = children;
    if (code?.type !== "element" || code.tagName !== "code" || others.length > 0) return;
    const [text, ...more] = code.children;
    if (text?.type !== "text" || more.length > 0) return;
    const { length } = text.value;
    if (length > Math.min(BLOCK_CHARACTERS_MAX, left)) return;
    const name = [code.properties.className].flat()[0];
    const language = /^language-(.+)$/.exec(String(name))?.[1];
    const tokens = language === undefined ? undefined : codeTokens(text.value, language);
    if (!tokens) return;
    left -= length;
    code.children = tokens.map(({ look, text: value }) =>
      look === ""
        ? { type: "text", value }
        : {
            type: "element",
            tagName: "span",
            properties: { className: [look] },
            children: [{ type: "text", value }],
          },
    );
  };
}
