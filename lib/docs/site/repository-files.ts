import { readFileSync } from "node:fs";
import type { Files } from "./pages";

/** A document without the comments that name its figures, which only `npm run docs` reads. */
export function withoutFigureNames(text: string): string {
  return text.replaceAll(/(?<=\d)<!-- [\w.]+(?: in \w+)? -->/g, "");
}

/** The files of the repository, read from the current folder. */
export const repositoryFiles: Files = {
  read: (file) => withoutFigureNames(readFileSync(file, "utf8")),
  imageSize(file) {
    const header = readFileSync(file).subarray(0, 24); // the width and height in a PNG's header
    return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
  },
};
