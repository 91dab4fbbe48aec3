import { styleText } from "node:util";
import { printableJson } from "./printable.js";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export interface Output {
  readonly json: boolean;
  /** Writes a result to stdout: one line of JSON with `--json`, else the text for people. */
  result(value: unknown, text: string): void;
  /** Writes a remark for people to stderr. */
  note(text: string): void;
  /** Colours text for stdout, if stdout is a terminal that wants colours. */
  style(style: Style, text: string): string;
  /** Aborted when stdout is closed, as with `| head`. */
  readonly closed: AbortSignal;
}

/** The output of this process. */
export function createOutput(json: boolean): Output {
  const closed = new AbortController();
  process.stdout.on("error", () => closed.abort());
  process.stderr.on("error", () => {});
  const coloured = wantsColours(process.stdout);
  return {
    json,
    result: (value, text) => {
      if (closed.signal.aborted) return;
      process.stdout.write(`${json ? printableJson(value) : text}\n`);
    },
    note: (text) => {
      process.stderr.write(`${text}\n`);
    },
    style: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
    closed: closed.signal,
  };
}

function wantsColours(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== "dumb";
}
