import { visitorAddress } from "@/app/_shared/session";
import { Beginning } from "@/components/bodies/beginning";
import { Markdown } from "@/components/ui/markdown";
import { markdownPart } from "@/lib/resources/artifacts/render";

const LABEL = "Description";
const LINKS_MAX = 1000;

/** The description of a task as Markdown, or as plain text if it cannot be rendered. */
export async function Description({ children }: { children: string }) {
  const tree = await markdownPart(children, await visitorAddress());
  if (tree === null) {
    return (
      <Beginning of="description" text={children}>
        {(text) => <PlainText label={LABEL}>{text}</PlainText>}
      </Beginning>
    );
  }
  return <Markdown tree={tree} label={LABEL} />;
}

/** Plain text with its line breaks and with links for its first URLs. */
function PlainText({ children, label }: { children: string; label: string }) {
  const parts = [...children.matchAll(TEXT_THEN_ADDRESS)];
  return (
    <section aria-label={label} dir="auto" className="wrap-anywhere whitespace-pre-wrap">
      {parts.slice(0, LINKS_MAX).map(({ index, 1: text, 2: address }) => (
        <span key={index}>
          {text}
          {address && (
            <a href={address} rel="noreferrer nofollow" target="_blank" className="link">
              {address}
            </a>
          )}
        </span>
      ))}
      {children.slice(parts[LINKS_MAX]?.index ?? children.length)}
    </section>
  );
}

/** The text up to a URL or to the end. Punctuation after a URL is not part of it. */
const TEXT_THEN_ADDRESS = /([\s\S]*?)(?:(https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}*_])|$)/g;
