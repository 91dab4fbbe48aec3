import { ColouredText } from "./coloured-text";
import { layOutJson } from "./json-value";

const CHARACTERS_MAX = 20_000;

/** The stored beginning of a response: JSON laid out, anything else as it is. */
export function ResponseBody({ label, children }: { label: string; children: string }) {
  const json = /^\s*[{[]/.test(children) ? layOutJson(children, CHARACTERS_MAX) : undefined;
  if (json && json.end !== "invalid") {
    return (
      <ColouredText label={label} language="json">
        {json.text}
      </ColouredText>
    );
  }
  return (
    <ColouredText label={label} language={/^\s*</.test(children) ? "html" : undefined}>
      {children}
    </ColouredText>
  );
}
