import type { Nodes } from "hast";
import { createElement, Fragment, type ReactNode } from "react";

/** Sanitized Markdown, rendered into the page. */
export function Markdown({ tree, label }: { tree: Nodes; label: string }) {
  return (
    <section aria-label={label} dir="auto" className="markdown">
      {elementsOf(tree)}
    </section>
  );
}

/** React escapes the text. The sanitizer has already limited the tags and properties. */
function elementsOf(node: Nodes): ReactNode {
  if (node.type === "text") return node.value;
  if (node.type !== "root" && node.type !== "element") return null;
  // React allows no text between the rows of a table.
  const isTable = node.type === "element" && /^(table|thead|tbody|tfoot|tr)$/.test(node.tagName);
  const children = node.children
    .filter((child) => !isTable || child.type !== "text")
    .map((child) => elementsOf(child));
  if (node.type === "root") return createElement(Fragment, null, ...children);
  const { className, checked, open, rel, ...properties } = node.properties;
  return createElement(
    node.tagName,
    {
      ...properties,
      ...(Array.isArray(className) && { className: className.join(" ") }),
      ...(Array.isArray(rel) && { rel: rel.join(" ") }),
      ...(node.tagName === "input" && { checked: Boolean(checked), readOnly: true }),
      ...(open && { open: true }),
    },
    ...(/^(br|hr|col|input)$/.test(node.tagName) ? [] : children),
  );
}
