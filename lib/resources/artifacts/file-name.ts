import type { Format } from "./contract";

const CHARACTERS_MAX = 100;
const ENDINGS: Record<Format, { added: string; known: RegExp }> = {
  markdown: { added: ".md", known: /\.(md|markdown)$/i },
  html: { added: ".html", known: /\.html?$/i },
};

/**
 * The `Content-Disposition` of a download (RFC 6266). The file name is sent in ASCII for old
 * clients and in full, encoded, for all others (RFC 8187).
 */
export function attachment(name: string, format: Format): string {
  const full = fileName(name, format);
  const plain = full
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^ -~]|%/gu, "_");
  // Cleaned again: NFKD makes a fullwidth quotation mark one that would end the parameter.
  const ascii = fileName(plain, format);
  const encoded = encodeURIComponent(full).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function fileName(name: string, format: Format): string {
  const { added, known } = ENDINGS[format];
  const stem = [...safe(name).replace(known, "")].slice(0, CHARACTERS_MAX).join("");
  // Reserved on Windows, with any extension.
  const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(stem);
  const ending = known.exec(safe(name))?.[0] ?? added;
  return `${device ? "_" : ""}${stem.replace(/[. ]+$/, "") || "artifact"}${ending}`;
}

/** Removes what breaks file systems or shell quoting, or misleads, as bidirectional marks. */
function safe(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu, "")
    .replace(/[/\\:*?"<>|]/g, "-")
    .replace(/\s+/gu, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
}
