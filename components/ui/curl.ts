import { shellWord } from "@/lib/platform/shell-word";

/** A curl command that works in any POSIX shell. */
export function curl(
  url: string,
  { key = true, body }: { key?: boolean; body?: unknown } = {},
): string {
  return [
    "curl",
    shellWord(url),
    key && '-H "Authorization: Bearer $API_KEY"',
    body !== undefined && `-d ${shellWord(JSON.stringify(body))}`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** Headers that curl sends by itself or derives from the body. */
const OWN_HEADERS = /^(?:host|content-length|connection|transfer-encoding|expect)$/i;

/** Longer bodies are not quoted in a command. */
const INLINE_CHARACTERS_MAX = 20_000;

/** Whether a body can be quoted in a command, which cannot hold a NUL. */
export function fitsInCommand(body: string | null, encoding: "utf8" | "base64" | null): boolean {
  if (body === null) return true;
  return encoding === "utf8" && body.length <= INLINE_CHARACTERS_MAX && !body.includes("\0");
}

interface HttpRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  /** Null if there is none, or if `bodyFrom` prints it. */
  body: string | null;
  /** A command that prints a body that cannot be quoted in the command itself. */
  bodyFrom?: string;
}

/** A curl command that sends a request byte for byte. */
export function curlOfRequest({ method, url, headers, body, bodyFrom }: HttpRequest): string {
  const words = headers
    .filter(([name]) => !OWN_HEADERS.test(name))
    .map(([name, value]) => `-H ${shellWord(value === "" ? `${name};` : `${name}: ${value}`)}`);
  const send = ["curl -g -X", shellWord(method), shellWord(url), ...words];
  if (bodyFrom !== undefined) return `${bodyFrom} | ${[...send, "--data-binary @-"].join(" ")}`;
  if (body === null) return send.join(" ");
  return [...send, "--data-raw", shellWord(body)].join(" ");
}
