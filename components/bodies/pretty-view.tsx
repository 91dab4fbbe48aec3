import type { BodyContent, Pretty } from "./body-content";
import { ColouredText } from "./coloured-text";
import { FindIn } from "./find-in";
import { JsonTree } from "./json-tree";
import { characterBudget } from "./json-value";
import { PairTable } from "./pair-table";
import { PartList } from "./part-list";

interface Props {
  content: BodyContent;
  /** The URL of the bytes. */
  href: string;
  /** The view that shows the whole body. */
  rawHref: string;
}

/** The most readable form of a body for its type: a tree, formatted text, pairs or parts. */
export function PrettyView({ content, href, rawHref }: Props) {
  const { pretty, text } = content;
  if (!pretty) return null;
  return (
    <FindIn {...(pretty.isCut && text !== null && { wholeHref: rawHref })}>
      <Shown pretty={pretty} href={href} />
      {pretty.isCut && (
        <p data-note className="mt-1 text-small text-muted">
          The beginning of the body. Raw and Download have all of it.
        </p>
      )}
    </FindIn>
  );
}

function Shown({ pretty, href }: { pretty: Pretty; href: string }) {
  switch (pretty.as) {
    case "tree":
      return <JsonTree value={pretty.value} />;
    case "pairs":
      return <PairTable label="Fields" pairs={pretty.pairs} budget={characterBudget()} />;
    case "parts":
      return <PartList parts={pretty.parts} href={href} />;
    case "text":
      return (
        <ColouredText label="Laid out" language={pretty.language}>
          {pretty.text}
        </ColouredText>
      );
  }
}
