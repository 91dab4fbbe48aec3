import { CodeBlock } from "./code-block";

interface Props {
  body: string | null;
  encoding: "utf8" | "base64" | null;
  /** The body's value, when it is JSON. */
  parsed: unknown;
  /** Which view of it: pretty where there is one, as it is, or in hex. */
  view: "pretty" | "raw" | "hex";
}

const HEX_BYTES_MAX = 4096;

/** A body as a person reads it. It is text whatever it holds. */
export function BodyView({ body, encoding, parsed, view }: Props) {
  if (body === null || body === "") return <p className="text-muted">No body.</p>;
  if (view === "hex" || (view === "pretty" && encoding === "base64")) {
    return <CodeBlock label="Body in hex">{hex(body, encoding)}</CodeBlock>;
  }
  const isJson = parsed !== null && parsed !== undefined;
  if (view === "pretty" && isJson) {
    return <CodeBlock label="Body">{JSON.stringify(parsed, null, 2)}</CodeBlock>;
  }
  return <CodeBlock label="Body">{body}</CodeBlock>;
}

/** Sixteen bytes a line: where they are, what they are, and what they say. */
function hex(body: string, encoding: Props["encoding"]): string {
  const all = Buffer.from(body, encoding === "base64" ? "base64" : "utf8");
  const bytes = all.subarray(0, HEX_BYTES_MAX);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const row = bytes.subarray(at, at + 16);
    const codes = [...row].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const words = [...row].map((byte) =>
      byte > 31 && byte < 127 ? String.fromCharCode(byte) : ".",
    );
    lines.push(`${at.toString(16).padStart(6, "0")}  ${codes.padEnd(47)}  ${words.join("")}`);
  }
  if (all.length > bytes.length) lines.push(`… ${all.length - bytes.length} bytes more`);
  return lines.join("\n");
}
