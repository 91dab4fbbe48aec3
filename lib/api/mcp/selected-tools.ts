import * as z from "zod";
import { slugOf, tagOf } from "@/lib/api/tags";
import { ApiError, quote } from "@/lib/platform/errors";
import { wordList } from "@/lib/platform/http/issue-message";
import type { Tool, Variant } from "./tool";
import { tools } from "./tools";

const flag = z
  .enum(["true", "false"], { error: "must be true or false" })
  .optional()
  .transform((given) => given === "true");

/** The parts of the API that tools have. */
const parts = [...new Set(tools.flatMap(({ variants }) => variants.map(partOf)))];

/** What the URL of `/mcp` asks for. */
export const Asked = z.object({
  read_only: flag.describe("`true`: only tools that change nothing."),
  sign_in: flag.describe("`true`: 401 without a credential, so that a client signs in at once."),
  tools: z
    .string()
    .optional()
    .describe(`Only the tools for these parts, with commas: ${parts.join(", ")}.`),
});
export type Asked = z.output<typeof Asked>;

const all: ReadonlyMap<string, Tool> = new Map(tools.map((tool) => [tool.name, tool]));

/** The tools that the URL asks for, by name. Throws 400 for a part that does not exist. */
export function toolsFor({ read_only, tools: wanted }: Asked): ReadonlyMap<string, Tool> {
  if (!read_only && wanted === undefined) return all;
  const names = wanted?.split(",").map((name) => name.trim());
  const unknown = names?.find((name) => !parts.includes(name));
  if (unknown !== undefined) {
    const message = `"tools" has ${quote(unknown)}, which is none of ${wordList(parts, "and")}.`;
    throw new ApiError("invalid_param", message, { param: "tools" });
  }
  const chosen = tools.flatMap((tool): [string, Tool][] => {
    const variants = tool.variants.filter((one) => !names || names.includes(partOf(one)));
    const isChosen = variants.length > 0 && (!read_only || isReadOnly(tool));
    return isChosen ? [[tool.name, { ...tool, variants }]] : [];
  });
  return new Map(chosen);
}

export function isReadOnly({ variants }: Tool): boolean {
  return variants.every(({ operation }) => operation.method === "GET");
}

function partOf({ operation }: Variant): string {
  return slugOf(tagOf(operation));
}
