import { expect, test } from "playwright/test";
import { operations } from "@/lib/api/registry";
import { statusesOf } from "@/lib/api/statuses";
import { documents, read } from "../support/documents";
import { limit } from "../support/figures";
import { promises } from "../support/promises";

/**
 * Every figure in a document's text is part of a promise made of the code's own figure, or the status of
 * a response. A new figure fails until its promise is in tests/support/promises.ts.
 */

/** Measurements and a recording, which promise nothing; and the tour, which is executed. */
const recorded = [
  "docs/benchmarks.md",
  "docs/decisions.md",
  "docs/scaling.md",
  "docs/soak.md",
  "docs/agent-auth-transcript.md",
  "docs/tour.md",
];

for (const name of documents.filter((document) => !recorded.includes(document))) {
  test(`Every figure in ${name} is the code's`, () => {
    const text = prose(read(name));
    let rest = text;
    for (const promise of promises[name] ?? []) {
      expect(promise, "ends would match within a longer number").toMatch(/^\D.*\D$/);
      expect.soft(text, "the document promises").toContain(promise);
      rest = rest.replaceAll(promise, "");
    }
    expect.soft(rest.replaceAll(/`[^`]*`/g, "").match(FIGURE) ?? [], "unchecked").toEqual([]);
  });
}

test("nginx takes larger bodies than the service, which refuses them itself", () => {
  const taken = Number(/client_max_body_size (\d+)m/.exec(read("docs/deployment.md"))?.[1]);
  expect(taken * 1_000_000).toBeGreaterThan(limit("sizes.message_request_body_bytes_max"));
});

const statuses = new Set([431, 500, ...operations.flatMap((one) => statusesOf(one, operations))]);

/** A number with a few words after it, unless it is the status of a response. */
const FIGURE = new RegExp(
  `\\b(?!(?:${[...statuses].join("|")})\\b(?! (?:characters|seconds|bytes|minutes|events|days)))\\d[\\d .]*(?: \\w+){0,3}`,
  "g",
);

/** Names that have digits in them. */
const NAMES =
  /\b\d{4}-\d\d-\d\d\b|-32602|SHA-256|Ed25519|CRC-32|UTF-8|UTF-16|base64|base62|OpenAPI 3\.1|RFC \d+|SP 800-63B-4|[EPR]S\d{3}|IPv[46]|127\.0\.0\.1|mode 0600|vercel\.com\S*/g;

/** A document's text: no code blocks, generated or measured rows, link targets, list numbers or names. */
function prose(document: string): string {
  return document
    .replaceAll(/^ *```.*?^ *```/gms, "")
    .replaceAll(/^\| `[A-Z_]+` \|[^|]*\|.*\|$/gm, "")
    .replaceAll(/^\|.*?(?:\| (?:\d+|-) ){2,}\|$/gm, "")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/https?:\/\/\S+/g, "")
    .replaceAll(/^\d+\. /gm, "")
    .replaceAll(NAMES, "")
    .replaceAll(/\s+/g, " ");
}
