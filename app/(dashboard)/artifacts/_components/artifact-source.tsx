import { PartView } from "@/components/bodies/part-view";
import { WrapToggle } from "@/components/ui/wrap-toggle";
import type { Artifact } from "@/lib/resources/artifacts/contract";

/** A longer source would slow the page down. */
const CHARACTERS_SHOWN = 100_000;

interface Props {
  content: string;
  format: Artifact["format"];
  /** The address of the whole content. */
  href: string;
}

/** The content of an artifact as text, one part at a time. */
export function ArtifactSource({ content, format, href }: Props) {
  return (
    <div data-print className="px-4 py-4 sm:px-6">
      <PartView
        label="Source"
        first={content.slice(0, CHARACTERS_SHOWN).toWellFormed()}
        partLength={CHARACTERS_SHOWN}
        length={content.length}
        origin={{ href, charset: "utf-8" }}
        language={format}
        tools={<WrapToggle />}
      />
    </div>
  );
}
