import Link from "next/link";
import { bytes } from "@/components/ui/bytes";
import { CopyText } from "@/components/ui/copy";
import { Time } from "@/components/ui/time";
import type { ListedArtifact } from "@/lib/artifacts/contract";

interface Props {
  artifacts: ListedArtifact[];
  hrefOf(artifact: ListedArtifact): string;
  openId?: string | undefined;
}

/** Documents, one a row. */
export function ArtifactTable({ artifacts, hrefOf, openId }: Props) {
  const narrow = openId !== undefined;
  return (
    <table className="list-table">
      <thead>
        <tr>
          <th scope="col">Artifact</th>
          <th scope="col">Format</th>
          <th scope="col">Size</th>
          {!narrow && <th scope="col">Updated</th>}
          {!narrow && <th scope="col">ID</th>}
        </tr>
      </thead>
      <tbody>
        {artifacts.map((artifact) => (
          <tr key={artifact.id} aria-current={artifact.id === openId ? "true" : undefined}>
            <td className="list-main">
              <Link
                href={hrefOf(artifact)}
                prefetch={false}
                scroll={false}
                data-row
                className="row-link block truncate font-medium"
              >
                {artifact.name}
              </Link>
            </td>
            <td className="text-small text-muted">
              {artifact.format === "html" ? "HTML" : "Markdown"}
            </td>
            <td className="text-small text-muted tabular-nums">{bytes(artifact.size)}</td>
            {!narrow && (
              <td className="text-small text-muted tabular-nums">
                <Time unix={artifact.updated_at} />
              </td>
            )}
            {!narrow && (
              <td className="max-sm:hidden">
                <CopyText text={artifact.id} shown={`…${artifact.id.slice(-6)}`} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
