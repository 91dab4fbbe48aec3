import { readFile } from "node:fs/promises";
import { validateHeaderName, validateHeaderValue } from "node:http";
import { buffer } from "node:stream/consumers";
import { InvalidArgumentError } from "commander";
import { CliError } from "./failure.js";

/** The bytes of `--data`: the text itself, a file as `@FILE`, or standard input as `-` or `@-`. */
export async function readData(data: string): Promise<Buffer> {
  if (data === "-" || data === "@-") return buffer(process.stdin);
  return data.startsWith("@") ? readInput(data.slice(1)) : Buffer.from(data);
}

/** The bytes of a file, or of standard input as `-`. */
export async function readInput(file: string): Promise<Buffer> {
  if (file === "-") return buffer(process.stdin);
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError("usage", `Cannot read ${file}: ${reasonOf(error)}.`, { cause: error });
  });
}

/** Bytes as text. Anything but UTF-8 is a usage error that names the option or file. */
export function textOf(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CliError("usage", `${name} is not UTF-8 text.`);
  }
}

/** Adds a `Name: value` to the headers collected so far. */
export function collectHeader(line: string, before: [string, string][] = []): [string, string][] {
  const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new InvalidArgumentError('Write a header as "Name: value".');
  }
  return [...before, [name, value.trimEnd()]];
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "there is no such file";
  if (error.code === "EISDIR") return "it is a folder";
  if (error.code === "EACCES") return "permission denied";
  return error.message;
}
