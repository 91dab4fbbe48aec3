import fs from "node:fs";
import path from "node:path";
import * as z from "zod";
import { environment } from "@/lib/platform/config/environment";
import { limits } from "@/lib/upkeep/limits/service";
import { ROOT } from "./documents";

/** Figures of the code, written as the documents write them. */

/** A figure of `/api/limits`, such as `fields.task_create.name.max_characters`. */
export function limit(address: string): number {
  const found = address.split(".").reduce<unknown>((value, name) => Object(value)[name], limits());
  if (typeof found !== "number") throw new Error(`/api/limits has no figure ${address}.`);
  return found;
}

/** The default of an environment variable. */
export function preset(name: keyof typeof environment): number {
  const found = environment[name].schema.parse(undefined);
  if (typeof found !== "number") throw new Error(`${name} has no figure as its default.`);
  return found;
}

/** A figure in the source of a folder, where no import leads to it: a constant's, or what a pattern finds. */
export function constant(folder: string, name: string | RegExp): number {
  const pattern =
    typeof name === "string"
      ? new RegExp(`\\b${name}(?: =|:) ([\\d_]+(?: \\* [\\d_]+)*)`, "g")
      : new RegExp(name, "g");
  const found = fs
    .readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [
      ...fs.readFileSync(path.join(ROOT, folder, file), "utf8").matchAll(pattern),
    ]);
  if (found.length !== 1) throw new Error(`${folder} has ${name} ${found.length} times.`);
  const factors = (found[0]?.[1] ?? "").replaceAll("_", "").split(" * ").map(Number);
  return factors.reduce((product, factor) => product * factor, 1);
}

/** The most characters that a text may have. */
export function longest(schema: z.ZodType | undefined): number {
  const { maxLength } = z.toJSONSchema(schema ?? z.never(), { io: "input" });
  if (maxLength === undefined) throw new Error("This schema has no longest text.");
  return maxLength;
}

/** 1000000 as `1 000 000`; up to four digits stay together. */
export function spaced(figure: number): string {
  return figure < 10_000 ? String(figure) : figure.toLocaleString("en").replaceAll(",", " ");
}

/** The random bits of that many characters in base62. */
export function bits(characters: number): number {
  return Math.floor(characters * Math.log2(62));
}
