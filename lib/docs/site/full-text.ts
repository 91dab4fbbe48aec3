import { tagOf, tags } from "@/lib/api/tags";
import type { Operation } from "@/lib/platform/http/operation";
import { sentence } from "./fields";
import type { Page } from "./pages";

/** Groups of no use to callers of a server. */
const LEFT_OUT = ["Reference", "Project"];

/** What follows `/llms.txt` in `/llms-full.txt`: the pages and a summary of every operation. */
export function fullText(pages: readonly Page[], operations: readonly Operation[]): string {
  const written = pages
    .filter(({ group }) => group !== undefined && !LEFT_OUT.includes(group))
    .map(({ path, markdown }) => `<!-- ${path}.md -->\n\n${markdown.trim()}\n`);
  const reference = tags.map(({ name }) => {
    const own = operations.filter((one) => tagOf(one) === name);
    return `## ${name}\n\n${own.map(inShort).join("\n")}\n`;
  });
  return `${written.join("\n")}
# Every operation

The pages below \`/docs/reference\` have every field with its type and limits, and examples.

${reference.join("\n")}`;
}

function inShort({ method, path, summary, scope, query, body, rawBody, success }: Operation) {
  const facts = [
    sentence(summary),
    ...(scope ? [`Scope \`${scope}\`.`] : []),
    ...(query ? [`Query: \`${Object.keys(query.shape).join("`, `")}\`.`] : []),
    ...(body ? [`Body: ${bodyFields(body.shape)}.`] : []),
    ...(rawBody ? [`Body: \`${rawBody.contentType}\`.`] : []),
    `Returns ${success.status}.`,
  ];
  return `- \`${method} ${path}\`: ${facts.join(" ")}`;
}

function bodyFields(shape: NonNullable<Operation["body"]>["shape"]): string {
  return Object.entries(shape)
    .map(([name, field]) => `\`${name}\`${field.safeParse(undefined).success ? "" : " (required)"}`)
    .join(", ");
}
