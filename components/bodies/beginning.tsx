import type { ReactNode } from "react";
import { truncate } from "@/lib/platform/truncate";
import { CHARACTERS_MAX } from "./body-content";

interface Props {
  /** What the text is, such as "description". */
  of: string;
  text: string;
  children: (beginning: string) => ReactNode;
}

/** Shows as much of a text that anybody may have sent as of a body, and says whether that is all. */
export function Beginning({ of, text, children }: Props) {
  return (
    <>
      {children(truncate(text, CHARACTERS_MAX))}
      {text.length > CHARACTERS_MAX && (
        <p className="mt-1 text-small text-muted">
          {`The beginning of the ${of}. The API has all of it.`}
        </p>
      )}
    </>
  );
}
