import { BufferedTable } from "@/components/ui/buffered-table";
import { bytes } from "@/components/ui/bytes";
import { CopyText } from "@/components/ui/copy";
import { RowLink } from "@/components/ui/row-link";
import { Time } from "@/components/ui/time";
import type { ListedArtifact } from "@/lib/resources/artifacts/contract";

/** One artifact per row; cards at 640 px and below. */
export function ArtifactTable({ artifacts }: { artifacts: ListedArtifact[] }) {
  return (
    <BufferedTable
      head={
        <tr>
          <th scope="col">Artifact</th>
          <th scope="col">Format</th>
          <th scope="col">Size</th>
          <th scope="col">Changed</th>
          <th scope="col">ID</th>
        </tr>
      }
      rows={artifacts.map(({ id, name, format, size, updated_at }) => ({
        id,
        row: (
          <tr key={id}>
            <td className="list-main">
              <RowLink href={`/artifacts/${id}`} className="block truncate font-medium">
                {name}
              </RowLink>
            </td>
            <td className="text-small text-muted">{formatWords(format)}</td>
            <td className="text-small text-muted tabular-nums">{bytes(size)}</td>
            <td data-label="Changed" className="text-small text-muted tabular-nums">
              <Time unix={updated_at} />
            </td>
            <td className="max-sm:hidden">
              <CopyText text={id} shown={`…${id.slice(-6)}`} />
            </td>
          </tr>
        ),
      }))}
    />
  );
}

export function formatWords(format: ListedArtifact["format"]): string {
  return format === "html" ? "HTML" : "Markdown";
}
