import { bytes } from "@/components/ui/bytes";
import { idColumn, ListTable, NEWEST_FIRST, timeColumn } from "@/components/ui/list-table";
import { NameCell } from "@/components/ui/name-cell";
import type { ListedArtifact } from "@/lib/resources/artifacts/contract";
import type { ArtifactSummary } from "@/lib/resources/artifacts/summaries";

interface Props {
  artifacts: ListedArtifact[];
  /** Keyed by ID. */
  summaries: Map<string, ArtifactSummary>;
}

export function ArtifactTable({ artifacts, summaries }: Props) {
  return (
    <ListTable
      columns={[
        {
          name: "Artifact",
          look: "list-main",
          cell: ({ id, name, format }) => (
            <NameCell
              href={`/artifacts/${id}`}
              name={name}
              description={firstLines(summaries.get(id)?.start ?? "", format)}
            />
          ),
        },
        {
          name: "Versions",
          cell: ({ id }) => {
            const count = summaries.get(id)?.version_count ?? 1;
            return count > 1 && `${count.toLocaleString("en")} versions`;
          },
        },
        {
          name: "By",
          look: "max-w-40 truncate text-small text-muted",
          hidden: "max-lg:hidden",
          cell: ({ id }) => summaries.get(id)?.author,
        },
        {
          name: "Shared",
          hidden: "max-lg:hidden",
          cell: ({ id }) => summaries.get(id)?.is_shared && "shared",
        },
        { name: "Format", hidden: "max-lg:hidden", cell: ({ format }) => formatWords(format) },
        { name: "Size", cell: ({ size }) => bytes(size) },
        timeColumn("Changed", "updated_at", "max-xl:hidden"),
        timeColumn("Created", "created_at", undefined, NEWEST_FIRST),
        idColumn("max-xl:hidden"),
      ]}
      rows={artifacts}
    />
  );
}

/** The beginning of a document as one line, without its markup. */
function firstLines(start: string, format: ListedArtifact["format"]): string {
  const text =
    format === "html"
      ? start
          .replace(/<(style|script|title)\b[\s\S]*?(?:<\/\1>|$)/gi, " ")
          .replace(/<[^>]*(?:>|$)/g, " ")
      : start
          .replace(/^[|:\s-]+$/gm, "") // rules, and those of tables
          .replace(/^(?:#+|[-*>]|\d+\.)\s+(?:\[[ x]\]\s+)?/gim, "")
          .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
          .replace(/[*_`]+/g, "")
          .replaceAll("|", " ");
  return text.replace(/\s+/g, " ").trim();
}

export function formatWords(format: ListedArtifact["format"]): string {
  return format === "html" ? "HTML" : "Markdown";
}
