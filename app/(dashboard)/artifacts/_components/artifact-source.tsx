import { CodeBlock } from "@/components/ui/code-block";
import { truncate } from "@/components/ui/truncate";
import { WrapToggle } from "@/components/ui/wrap-toggle";

/** A longer source would slow the page down. */
const CHARACTERS_SHOWN = 100_000;

/** The content of an artifact as text. */
export function ArtifactSource({ content }: { content: string }) {
  return (
    <div data-print className="px-4 py-4 sm:px-6">
      <div className="mb-2 flex justify-end print:hidden">
        <WrapToggle />
      </div>
      <CodeBlock label="Source">{truncate(content, CHARACTERS_SHOWN)}</CodeBlock>
      {content.length > CHARACTERS_SHOWN && (
        <p className="mt-1 text-small text-muted">Truncated. Download to see all of it.</p>
      )}
    </div>
  );
}
