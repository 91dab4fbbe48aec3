// `npm run fonts`: writes the typefaces in app/fonts/. They are smaller than the packages': they
// have only the characters that app/fonts.css lists, and the weights and features in use.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import subsetFont from "subset-font";
import { argumentsOf } from "./arguments.mjs";

argumentsOf("Usage: npm run fonts\n\nWrites the typefaces in app/fonts.");

/** Features that browsers apply by default, and figures of equal width. */
const FEATURES = ["ccmp", "locl", "mark", "mkmk", "kern", "liga", "clig", "calt", "rlig", "tnum"];

const { resolve } = createRequire(import.meta.url);
const css = readFileSync("app/fonts.css", "utf8");
for (const [face] of css.matchAll(/@font-face \{[^}]*\}/g)) {
  const [, file] = /url\("\.\/(fonts\/[^"]+)"\)/.exec(face) ?? [];
  if (!file) continue;
  const [, ranges = ""] = /unicode-range:([^;]*);/.exec(face) ?? [];
  const [, lightest, boldest = lightest] = /font-weight: (\d+)(?: (\d+))?;/.exec(face) ?? [];
  const name = file.replace(/^fonts\/(.*)-\w+\.woff2$/, "$1");
  const source = `@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`;
  const font = readFileSync(resolve(source));
  const subset = await subsetFont(font, charactersIn(ranges), {
    targetFormat: "woff2",
    variationAxes: { wght: { min: Number(lightest), max: Number(boldest) } },
    keepFeatures: FEATURES,
  });
  writeFileSync(`app/${file}`, subset);
  console.log(`${file}: ${font.length} to ${subset.length} bytes`);
}

/** The characters of a `unicode-range`, such as "U+0000-00FF, U+0131". */
function charactersIn(ranges) {
  return [...ranges.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)]
    .flatMap(([, first, last = first]) => {
      const start = Number.parseInt(first, 16);
      const length = Number.parseInt(last, 16) - start + 1;
      return Array.from({ length }, (_, index) => String.fromCodePoint(start + index));
    })
    .join("");
}
