import { ColouredText } from "./coloured-text";
import { layOutJson } from "./json-value";

interface Props {
  label: string;
  /** Formatted JSON is cut after this many characters. */
  charactersMax: number;
  children: string;
}

/** The stored beginning of a response: formatted if it is JSON, otherwise unchanged. */
export function ResponseBody({ label, charactersMax, children }: Props) {
  const json = /^\s*[{[]/.test(children) ? layOutJson(children, charactersMax) : undefined;
  const isJson = json !== undefined && json.end !== "invalid";
  const language = isJson ? "json" : /^\s*</.test(children) ? "html" : undefined;
  return (
    <ColouredText label={label} language={language}>
      {isJson ? json.text : children}
    </ColouredText>
  );
}
