import { bytes } from "@/components/ui/bytes";
import { type Column, idColumn, ListTable, timeColumn } from "@/components/ui/list-table";
import { NameCell } from "@/components/ui/name-cell";
import type { ListedArtifact } from "@/lib/resources/artifacts/contract";

const COLUMNS: Column<ListedArtifact>[] = [
  {
    name: "Artifact",
    look: "list-main",
    cell: ({ id, name }) => <NameCell href={`/artifacts/${id}`} name={name} description={null} />,
  },
  { name: "Format", cell: ({ format }) => formatWords(format) },
  { name: "Size", cell: ({ size }) => bytes(size) },
  timeColumn("Changed", "updated_at"),
  idColumn(),
];

export function ArtifactTable({ artifacts }: { artifacts: ListedArtifact[] }) {
  return <ListTable columns={COLUMNS} rows={artifacts} />;
}

export function formatWords(format: ListedArtifact["format"]): string {
  return format === "html" ? "HTML" : "Markdown";
}
