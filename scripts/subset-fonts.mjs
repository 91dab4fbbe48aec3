// `npm run fonts`: writes the typefaces of every page into app/fonts/, smaller than their packages have
// them: only the weights and the features that the pages use. Run it when the packages change.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

const OUT = "app/fonts";

/** What browsers apply by themselves, and figures of equal width. */
const FEATURES = ["ccmp", "locl", "mark", "mkmk", "kern", "liga", "clig", "calt", "rlig", "tnum"];

mkdirSync(OUT, { recursive: true });
for (const name of ["geist", "geist-mono"]) {
  const folder = `@fontsource-variable/${name}`;
  const { resolve } = createRequire(import.meta.url);
  const { latin } = JSON.parse(readFileSync(resolve(`${folder}/unicode.json`), "utf8"));
  const font = readFileSync(resolve(`${folder}/files/${name}-latin-wght-normal.woff2`));
  const subset = await subsetFont(font, charactersIn(latin), {
    targetFormat: "woff2",
    variationAxes: { wght: { min: 400, max: 700 } },
    keepFeatures: FEATURES,
  });
  writeFileSync(`${OUT}/${name}-latin.woff2`, subset);
  console.log(`${name}: ${font.length} to ${subset.length} bytes`);
}

/** The characters of a `unicode-range`, such as "U+0000-00FF,U+0131". */
function charactersIn(ranges) {
  return ranges
    .split(",")
    .flatMap((range) => {
      const [first, last = first] = range
        .replace("U+", "")
        .split("-")
        .map((digits) => Number.parseInt(digits, 16));
      return Array.from({ length: last - first + 1 }, (_, index) =>
        String.fromCodePoint(first + index),
      );
    })
    .join("");
}
