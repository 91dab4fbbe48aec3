import { variantsOf } from "@/lib/api/mcp/tool";
import { tools } from "@/lib/api/mcp/tools";

/** The table of tools in docs/mcp.md. */
export function toolTable(): string {
  const rows = tools.map((tool) => {
    const variants = variantsOf(tool).map(({ operation }) => operation);
    const calls = variants.map(({ method, path }) => `\`${method} ${path}\``);
    const keyed = variants.filter(({ auth }) => auth === "required");
    const tags = new Set(keyed.map(({ tag }) => tag.toLowerCase()));
    const key = keyed.length === variants.length ? "yes" : [...tags].join(", ");
    return `| \`${tool.name}\` | ${tool.purpose} | ${calls.join(", ")} | ${key} |`;
  });
  return [
    "| Tool | Purpose | Operation | Needs a key |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
