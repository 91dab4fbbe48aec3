import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createOnce } from "@/lib/platform/create-once";
import { OperatorError } from "@/lib/platform/operator-error";

/** The minimum length of `SERVER_SECRET`, too. */
export const SECRET_LENGTH_MIN = 32;

/** The secret in the file, which is made if there is none. Throws `OperatorError`. */
export function localSecret(file: string): string {
  const secret = readOrMake(file);
  if (secret.length >= SECRET_LENGTH_MIN) return secret;
  throw new OperatorError(
    `DATA_DIR: ${resolve(file)} is cut short. Restore it from your backup. If you have none, delete it: a new one is made, and what the old one encrypted is lost.`,
  );
}

function readOrMake(file: string): string {
  try {
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      createOnce(file, randomBytes(32).toString("hex"));
    }
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new OperatorError(
      `DATA_DIR: ${resolve(file)} can be neither read nor made. Start as the user that made it, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}
