import { operationsOf } from "@/lib/mcp/tool";
import { tools } from "@/lib/mcp/tools";

/** The table of tools in docs/mcp.md. */
export function toolTable(): string {
  const rows = tools.map((tool) => {
    const calls = operationsOf(tool).map(({ method, path }) => `\`${method} ${path}\``);
    const key = operationsOf(tool).some(({ auth }) => auth === "required") ? "yes" : "";
    return `| \`${tool.name}\` | ${tool.purpose} | ${calls.join(", ")} | ${key} |`;
  });
  return [
    "| Tool | Purpose | Operation | Needs a key |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
