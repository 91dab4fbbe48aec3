/** How many bytes of a body are enough for its preview. */
export const PREVIEW_BYTES = 400;

const LINE_MAX = 160;
const PARTS_MAX = 4;
const VALUE_MAX = 60;

/** Members that say what a message is about, the clearest first. */
const HEADLINES = ["type", "event", "event_type", "action", "topic", "kind", "subject", "title"];
const AMOUNTS = ["amount", "total", "price"];

/** One line that tells a body from others, from its first `PREVIEW_BYTES`. */
export function bodyPreview(start: Buffer): string {
  const text = textOf(start);
  if (text === null) return cut(binaryWords(start));
  const trimmed = text.trim();
  if (trimmed.startsWith("{")) {
    return cut(wordsOf(jsonPairs(trimmed)) || trimmed.replace(/\s+/g, " "));
  }
  if (trimmed.startsWith("[")) return cut(trimmed.replace(/\s+/g, " "));
  if (/^[\w.%[\]-]+=[^\s&]*(?:&[\w.%[\]-]+=[^\s&]*)+$/.test(trimmed)) {
    return cut(wordsOf([...new URLSearchParams(trimmed)]));
  }
  if (isMultipart(trimmed)) return cut(formWords(trimmed));
  return cut(trimmed.split("\n", 1)[0] ?? "") || "Only white space";
}

type Pair = [name: string, value: string];

/** The members with a plain value, at any depth, also of JSON whose end is missing. */
function jsonPairs(text: string): Pair[] {
  const members =
    /"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d[\d.eE+-]*|true|false)(?=\s*[,}\]]))/g;
  return [...text.matchAll(members)].map(([, name = "", quoted, bare]) => [
    name,
    quoted === undefined ? (bare ?? "") : unescaped(quoted),
  ]);
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(`"${quoted}"`);
  } catch {
    return quoted;
  }
}

/** "payment.succeeded · 89.73 eur · id: cus_81" */
function wordsOf(pairs: Pair[]): string {
  const find = (names: string[]) => {
    for (const name of names) {
      const pair = pairs.find(([one, value]) => one.toLowerCase() === name && value !== "");
      if (pair) return pair;
    }
    return undefined;
  };
  const headline = find(HEADLINES);
  const amount = find(AMOUNTS);
  const currency = amount && find(["currency"]);
  const rest = pairs.filter((pair) => ![headline, amount, currency].includes(pair));
  return [
    headline?.[1],
    amount && (currency ? `${amount[1]} ${currency[1]}` : amount.join(": ")),
    ...rest.map(([name, value]) => `${name}: ${value}`),
  ]
    .filter((part) => part !== undefined)
    .slice(0, PARTS_MAX)
    .map((part) => cut(part.replace(/\s+/g, " "), VALUE_MAX))
    .join(" · ");
}

function isMultipart(text: string): boolean {
  return text.startsWith("--") && /content-disposition:\s*form-data/i.test(text);
}

/** "form: title, file 404.png" */
function formWords(text: string): string {
  const parts = text.matchAll(/form-data;\s*name="([^"]*)"(?:;\s*filename="([^"]*)")?/gi);
  return `form: ${[...parts].map(([, name, file]) => (file ? `${name} ${file}` : name)).join(", ")}`;
}

/** "PNG 1440 × 900": the format by its first bytes, and the size of a picture if they have it. */
function binaryWords(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  if (isMultipart(text)) return formWords(bytes.toString("utf8"));
  if (text.startsWith("\x89PNG") && bytes.length >= 24) {
    return `PNG ${bytes.readUInt32BE(16)} × ${bytes.readUInt32BE(20)}`;
  }
  if (/^GIF8[79]a/.test(text) && bytes.length >= 10) {
    return `GIF ${bytes.readUInt16LE(6)} × ${bytes.readUInt16LE(8)}`;
  }
  return FORMATS.find(([start]) => text.startsWith(start))?.[1] ?? "Binary data";
}

const FORMATS: [start: string, name: string][] = [
  ["\xff\xd8\xff", "JPEG"],
  ["RIFF", "WebP"],
  ["%PDF-", "PDF"],
  ["PK\x03\x04", "ZIP archive"],
  ["\x1f\x8b", "gzip data"],
  ["\x28\xb5\x2f\xfd", "Zstandard data"],
];

/** The last character may be cut off; a streaming decoder ignores the incomplete rest. */
function textOf(bytes: Buffer): string | null {
  if (bytes.subarray(0, 5).toString("latin1") === "%PDF-") return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

function cut(text: string, max = LINE_MAX): string {
  const characters = [...text];
  return characters.length > max ? `${characters.slice(0, max - 1).join("")}…` : text;
}
