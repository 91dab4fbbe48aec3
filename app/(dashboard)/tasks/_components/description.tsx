import { visitorAddress } from "@/app/_shared/session";
import { Beginning } from "@/components/bodies/beginning";
import { Markdown } from "@/components/ui/markdown";
import { markdownPart } from "@/lib/resources/artifacts/render";

const LABEL = "Description";

/** The description of a task as Markdown, or as plain text if it cannot be rendered. */
export async function Description({ children }: { children: string }) {
  const tree = await markdownPart(children, await visitorAddress());
  if (tree === null) {
    return (
      <Beginning of="description" text={children}>
        {(text) => (
          <section aria-label={LABEL} dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {text}
          </section>
        )}
      </Beginning>
    );
  }
  return <Markdown tree={tree} label={LABEL} />;
}
