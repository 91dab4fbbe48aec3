import { once } from "node:events";
import { styleText } from "node:util";
import { printable, printableJson, printableLines } from "./printable.js";

/** The note when a command that waits cannot reach the service. */
export const CONNECTING_AGAIN = "The connection broke. Connecting again…";

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

export interface Output {
  readonly json: boolean;
  /** Writes a result to stdout: one line of JSON with `--json`, else the text for people. */
  result(value: unknown, text: string): void;
  /** Writes up to `limit` items as results, or the remark `none`. */
  list<Item>(
    items: AsyncIterable<Item>,
    limit: number,
    none: string,
    text: (item: Item) => string,
  ): Promise<void>;
  /** Writes bytes of others to stdout: as they are, or safe for a terminal. */
  bytes(chunk: Uint8Array): Promise<void>;
  /** Writes a remark for people to stderr. */
  note(text: string): void;
  /** Colours text for stdout, if stdout is a terminal that wants colours. */
  style(style: Style, text: string): string;
  /** Aborted when stdout takes no more: it is closed, as with `| head`, or its disk is full. */
  readonly closed: AbortSignal;
}

/** The output of this process. */
export function createOutput(json: boolean): Output {
  const closed = new AbortController();
  process.stdout.on("error", () => closed.abort());
  const decoder = new TextDecoder();
  const { NO_COLOR, TERM } = process.env;
  const coloured = process.stdout.isTTY && !NO_COLOR && TERM !== "dumb";
  const result = (value: unknown, text: string) => {
    if (closed.signal.aborted) return;
    process.stdout.write(`${json ? printableJson(value) : text}\n`);
  };
  const note = (text: string) => {
    process.stderr.write(`${text}\n`);
  };
  return {
    json,
    result,
    async list(items, limit, none, text) {
      let count = 0;
      for await (const item of items) {
        result(item, text(item));
        count += 1;
        if (count === limit || closed.signal.aborted) return;
      }
      if (count === 0) note(none);
    },
    async bytes(chunk) {
      if (closed.signal.aborted) return;
      const isTerminal = process.stdout.isTTY;
      const shown = isTerminal ? printableLines(decoder.decode(chunk, { stream: true })) : chunk;
      if (!process.stdout.write(shown)) {
        await once(process.stdout, "drain", { signal: closed.signal }).catch(() => {});
      }
    },
    note,
    style: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
    closed: closed.signal,
  };
}

/** Writes what was created and, if nobody owns it, how to own it. */
export function writeCreated(output: Output, created: Created, ...lines: string[]): void {
  output.result(created, [...lines, ...claimLines(created)].join("\n"));
}

/** How to own what was created: one line, or none if it has an owner. */
export function claimLines({ claim_link: link }: Created): string[] {
  return link ? [`It is public. Make it yours: ${printable(link)}`] : [];
}

interface Created {
  id: string;
  claim_link?: string | null;
}
