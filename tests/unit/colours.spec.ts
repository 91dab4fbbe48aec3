import fs from "node:fs";
import path from "node:path";
import { expect, test } from "playwright/test";
import { ROOT } from "../support/servers";

/** The colours of pages, before they are drawn. As they are drawn: tests/browser/every-page.spec.ts. */

const RATIO_MIN = 4.5;
const SCHEMES = ["light", "dark"] as const;
/** Those that no text on the page's own backgrounds has. */
const NOT_TEXT = ["canvas", "surface", "line", "line-strong", "accent-ink"];

const styles = fs.readFileSync(path.join(ROOT, "app/globals.css"), "utf8");
const DEFINITIONS = /--color-([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g;
const tokens = new Map(
  Array.from(
    styles.matchAll(DEFINITIONS),
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }] as const,
  ),
);

test("Every text colour has enough contrast on canvas and on surface, light and dark", () => {
  const defined = styles.match(/--color-[a-z-]+:/g) ?? [];
  expect(tokens.size).toBe(defined.length);
  const texts = [...tokens.keys()].filter((name) => !NOT_TEXT.includes(name));
  expect(texts).toContain("muted");
  const pairs = texts.flatMap((text) => [
    [text, "canvas"],
    [text, "surface"],
  ]);
  for (const [text = "", behind = ""] of [...pairs, ["accent-ink", "accent"]]) {
    for (const scheme of SCHEMES) {
      const [one, other] = [luminance(text, scheme), luminance(behind, scheme)];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      expect(ratio, `${text} on ${behind}, ${scheme}`).toBeGreaterThanOrEqual(RATIO_MIN);
    }
  }
});

/** As WCAG defines it. */
function luminance(token: string, scheme: (typeof SCHEMES)[number]): number {
  const colour = tokens.get(token)?.[scheme] ?? "";
  const [red = Number.NaN, green = Number.NaN, blue = Number.NaN] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
