import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { OperatorError } from "@/lib/platform/operator-error";

/** The secret in the file. Of two processes that start at once, one creates it. */
export function localSecret(file: string): string {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const secret = randomBytes(32).toString("hex");
    writeFileSync(file, secret, { flag: "wx", mode: 0o600 });
    return secret;
  } catch {
    return readSecret(file);
  }
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OperatorError(
      `DATA_DIR: ${resolve(file)} can be neither read nor made. Start as the user that made it, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}
