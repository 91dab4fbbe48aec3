import { randomBytes } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";

/**
 * Creates a file that only its owner can read, unless it exists. The file appears once all of `text`
 * is on disk. Of processes that do this at once, one creates it: a hard link fails if the file exists.
 */
export function createOnce(file: string, text: string): void {
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    linkSync(temporary, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}
