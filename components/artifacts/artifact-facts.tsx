import { bytes } from "@/components/ui/bytes";
import { CopyText } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Owner } from "@/components/ui/owner";
import { Time } from "@/components/ui/time";
import type { Artifact } from "@/lib/artifacts/contract";
import { formatWords } from "./artifact-table";

/** What is known of an artifact beside its content. */
export function ArtifactFacts({ artifact }: { artifact: Artifact }) {
  const { id, format, size, content, external_id, organization_id } = artifact;
  return (
    <Facts>
      <Fact name="Format">{formatWords(format)}</Fact>
      <Fact name="Size">
        {bytes(size)}, {content.split("\n").length.toLocaleString("en")} lines
      </Fact>
      <Fact name="Created">
        <Time unix={artifact.created_at} />
      </Fact>
      <Fact name="Changed">
        <Time unix={artifact.updated_at} />
      </Fact>
      <Fact name="ID">
        <CopyText text={id} />
      </Fact>
      {external_id !== null && (
        <Fact name="External ID">
          <CopyText text={external_id} />
        </Fact>
      )}
      <Fact name="Owner">
        <Owner organizationId={organization_id} id={id} />
      </Fact>
    </Facts>
  );
}
