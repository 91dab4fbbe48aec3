import { bytes } from "@/components/ui/bytes";
import { CopyText } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { lineCount } from "@/components/ui/line-count";
import { ResourceFacts } from "@/components/ui/resource-facts";
import type { Artifact } from "@/lib/resources/artifacts/contract";
import { formatWords } from "./artifact-table";

export function ArtifactFacts({ artifact }: { artifact: Artifact }) {
  const { format, size, content } = artifact;
  return (
    <Facts>
      <Fact name="Format">{formatWords(format)}</Fact>
      <Fact name="Size">
        {bytes(size)}, {lineCount(content)}
      </Fact>
      <Fact name="ID">
        <CopyText text={artifact.id} />
      </Fact>
      <ResourceFacts of={artifact} />
    </Facts>
  );
}
