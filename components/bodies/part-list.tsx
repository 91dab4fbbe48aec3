import { bytes } from "@/components/ui/bytes";
import type { Part } from "@/lib/platform/bodies/multipart";
import { JsonTree } from "./json-tree";
import { type ShownPart, shownParts } from "./part-content";

interface Props {
  parts: Part[];
  /** The URL of the body. */
  href: string;
}

/** The parts of a multipart body: fields with their text, and files to view and download. */
export function PartList({ parts, href }: Props) {
  return (
    <ol aria-label="Parts" className="grid gap-2">
      {shownParts(parts).map((part, index) => (
        <li
          // Names may repeat.
          key={[index, part.name].join()}
          className="rounded-md border border-line bg-surface px-3 py-2"
        >
          <div className="flex flex-wrap items-baseline gap-x-3 text-small">
            <span className="font-mono wrap-anywhere">{part.name ?? `Part ${index + 1}`}</span>
            {part.fileName !== null && (
              <span className="font-mono text-muted wrap-anywhere">{part.fileName}</span>
            )}
            <span data-note className="text-muted">
              {part.type === null ? "" : `${part.type}, `}
              {bytes(part.size)}
            </span>
            <a href={`${href}?part=${index + 1}`} className="link ml-auto" download>
              Download
            </a>
          </div>
          <PartContent part={part} previewHref={`${href}/preview?part=${index + 1}`} />
        </li>
      ))}
    </ol>
  );
}

function PartContent({ part, previewHref }: { part: ShownPart; previewHref: string }) {
  const { content } = part;
  switch (content.as) {
    case "nothing":
      return null;
    case "tree":
      return <JsonTree value={content.value} />;
    case "image":
      return (
        <img
          width={480}
          height={160}
          src={previewHref}
          alt={part.fileName ?? part.name ?? "Image"}
          loading="lazy"
          className="mt-2 h-40 w-full object-scale-down object-left"
        />
      );
    case "text":
      return (
        <pre className="code-text mt-1">
          {content.text}
          {content.text.length < content.length && (
            <span data-note className="text-muted">
              … {content.length.toLocaleString("en")} characters
            </span>
          )}
        </pre>
      );
  }
}
