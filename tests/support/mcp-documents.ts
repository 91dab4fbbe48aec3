import { tools } from "@/lib/api/mcp/tools";
import { tagOf } from "@/lib/api/tags";

/** The table of tools in docs/mcp.md. */
export function toolTable(): string {
  const rows = tools.map(({ name, purpose, variants }) => {
    const operations = [...new Set(variants.map(({ operation }) => operation))];
    const calls = operations.map(({ id }) => `\`${id}\``);
    const keyed = operations.filter(({ auth }) => auth === "required");
    const tags = new Set(keyed.map((one) => tagOf(one).toLowerCase()));
    const key = keyed.length === operations.length ? "yes" : [...tags].join(", ");
    return `| \`${name}\` | ${purpose} | ${calls.join(", ")} | ${key} |`;
  });
  return [
    "| Tool | Purpose | Operations | Needs a key |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
