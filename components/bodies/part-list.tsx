import { bytes } from "@/components/ui/bytes";
import { truncate } from "@/components/ui/truncate";
import { contentOf } from "@/lib/bodies/content";
import type { Part } from "@/lib/bodies/multipart";
import { JsonTree } from "./json-tree";
import { jsonValue } from "./json-value";

const TEXT_CHARACTERS_MAX = 2000;
const NAME_CHARACTERS_MAX = 200;

interface Props {
  parts: Part[];
  /** The address of the body. */
  href: string;
}

/** The parts of a multipart body: fields with their text, files to look at and to download. */
export function PartList({ parts, href }: Props) {
  return (
    <ol aria-label="Parts" className="grid gap-2">
      {parts.map((part, index) => (
        <li
          key={[index, part.name].join()}
          className="rounded-md border border-line bg-surface px-3 py-2"
        >
          <div className="flex flex-wrap items-baseline gap-x-3 text-small">
            <span className="font-mono font-semibold wrap-anywhere">
              {truncate(part.name ?? `Part ${index + 1}`, NAME_CHARACTERS_MAX)}
            </span>
            {part.fileName !== null && (
              <span className="font-mono wrap-anywhere">
                {truncate(part.fileName, NAME_CHARACTERS_MAX)}
              </span>
            )}
            <span data-note className="text-muted">
              {part.type === null ? "" : `${truncate(part.type, NAME_CHARACTERS_MAX)}, `}
              {bytes(part.bytes.length)}
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

function PartContent({ part, previewHref }: { part: Part; previewHref: string }) {
  const { kind, text } = contentOf(part.bytes, part.type);
  if (kind === "image") {
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
  }
  if (text === null || part.bytes.length === 0) return null;
  const isShort = text.length <= TEXT_CHARACTERS_MAX;
  const json = kind === "json" && isShort ? jsonValue(text) : undefined;
  if (json) return <JsonTree value={json} />;
  return (
    <pre className="code-text mt-1">
      {truncate(text, TEXT_CHARACTERS_MAX)}
      {!isShort && (
        <span data-note className="text-muted">
          … {text.length.toLocaleString("en")} characters
        </span>
      )}
    </pre>
  );
}
