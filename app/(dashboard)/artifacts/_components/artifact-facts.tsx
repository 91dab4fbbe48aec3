import { bytes } from "@/components/ui/bytes";
import { Fact, Facts } from "@/components/ui/facts";
import { ResourceFacts } from "@/components/ui/resource-facts";
import type { Artifact } from "@/lib/resources/artifacts/contract";
import { formatWords } from "./artifact-table";

export function ArtifactFacts({ artifact }: { artifact: Artifact }) {
  const { format, size, content } = artifact;
  return (
    <Facts>
      <Fact name="Format">{formatWords(format)}</Fact>
      <Fact name="Size">
        {bytes(size)}, {content.split("\n").length.toLocaleString("en")} lines
      </Fact>
      <ResourceFacts of={artifact} />
    </Facts>
  );
}
