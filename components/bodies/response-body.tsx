import { ColouredText } from "./coloured-text";
import { layOutJson } from "./json-value";

interface Props {
  label: string;
  /** JSON that takes more characters when laid out is cut there. */
  charactersMax: number;
  children: string;
}

/** The stored beginning of a response: JSON laid out, anything else as it is. */
export function ResponseBody({ label, charactersMax, children }: Props) {
  const json = /^\s*[{[]/.test(children) ? layOutJson(children, charactersMax) : undefined;
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
