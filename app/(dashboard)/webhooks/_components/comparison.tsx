import type { ReactNode } from "react";
import { formPairs } from "@/components/bodies/form-pairs";
import { layOutJson } from "@/components/bodies/json-value";
import { layOutXml } from "@/components/bodies/xml-layout";
import { bytes } from "@/components/ui/bytes";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/time";
import { detectContent } from "@/lib/platform/bodies/content";
import { unpack } from "@/lib/platform/bodies/unpack";
import { recordedBytes } from "@/lib/platform/http/recorded-body";
import { isCredential, REDACTED } from "@/lib/platform/http/recorded-headers";
import { differenceOf } from "@/lib/resources/artifacts/difference";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";
import { type ComparedRow, ComparisonTable } from "./comparison-table";
import { pathBelowCaptureUrl } from "./request-path";
import { SideBySide } from "./side-by-side";

/** Longer bodies are compared only up to here. */
const CHARACTERS_MAX = 200_000;
/** The maximum number of query pairs, and of headers, on each side. */
const PAIRS_MAX = 200;

/** Two captured requests: what differs between them, and below it what is the same. */
export async function Comparison({ left, right }: { left: WebhookEvent; right: WebhookEvent }) {
  const [leftText, rightText] = await Promise.all([textOf(left), textOf(right)]);
  return (
    <article aria-label="Comparison" className="px-4 pb-8 sm:px-6">
      <Section title="Request">
        <ComparisonTable label="Request" rows={requestRows(left, right)} showsSame />
      </Section>
      <Section title="Query">
        <ComparisonTable label="Query" rows={rowsOf(queryOf(left), queryOf(right))} />
      </Section>
      <Section title="Headers">
        <ComparisonTable
          label="Headers"
          rows={rowsOf(headersOf(left), headersOf(right)).map(hidden)}
        />
      </Section>
      <Section title="Body">
        {left.body === right.body && left.body_encoding === right.body_encoding ? (
          <p className="text-muted">
            {left.body === null ? "Neither has a body." : "The bodies are the same."}
          </p>
        ) : (
          <BodyDifference left={leftText} right={rightText} />
        )}
      </Section>
    </article>
  );
}

function BodyDifference({ left, right }: { left: string | null; right: string | null }) {
  if (left === null || right === null) {
    return <p className="text-muted">The bodies differ, and are not both text.</p>;
  }
  const isCut = left.length === CHARACTERS_MAX || right.length === CHARACTERS_MAX;
  return (
    <>
      <SideBySide difference={differenceOf(left, right)} />
      {isCut && (
        <p className="mt-1 text-small text-muted">
          {`The first ${CHARACTERS_MAX.toLocaleString("en")} characters were compared.`}
        </p>
      )}
    </>
  );
}

/** A body as text, formatted if its type allows it; null if it is not text. */
async function textOf(event: WebhookEvent): Promise<string | null> {
  const { headers } = event;
  const stored = recordedBytes(event);
  const { bytes: unpacked } = await unpack(stored, headers["content-encoding"] ?? null);
  const { text, kind } = detectContent(unpacked, headers["content-type"] ?? null);
  if (text === null) return null;
  if (kind === "xml" || kind === "svg") return layOutXml(text, CHARACTERS_MAX).text;
  const json = kind === "json" ? layOutJson(text, CHARACTERS_MAX) : undefined;
  if (json && (json.end === "complete" || json.end === null)) return json.text;
  return text.slice(0, CHARACTERS_MAX).toWellFormed();
}

function requestRows(left: WebhookEvent, right: WebhookEvent): ComparedRow[] {
  const row = (name: string, of: (event: WebhookEvent) => string, shown?: typeof shownTime) => ({
    name,
    left: shown ? shown(left) : of(left),
    right: shown ? shown(right) : of(right),
    isSame: of(left) === of(right),
  });
  return [
    row("Method", ({ method }) => method),
    row("Path", (event) => pathBelowCaptureUrl(event) || "/"),
    // Always different, so the difference says nothing.
    row("Captured", () => "", shownTime),
    row("From", ({ source_ip }) => source_ip ?? "unknown"),
    row("Size", ({ size_bytes }) => bytes(size_bytes)),
    row("Signature", ({ verified }) =>
      verified === null ? "not checked" : verified ? "verified" : "not verified",
    ),
  ];
}

function shownTime({ received_at }: WebhookEvent): ReactNode {
  return <Time unix={received_at} />;
}

function headersOf({ headers }: WebhookEvent): [string, string][] {
  return Object.entries(headers).slice(0, PAIRS_MAX);
}

function queryOf({ query_string }: WebhookEvent): [string, string][] {
  return formPairs(query_string, PAIRS_MAX).pairs;
}

/** Credentials are hidden until the user unfolds them. */
function hidden(row: ComparedRow): ComparedRow {
  if (!isCredential(row.name)) return row;
  const fold = (value: ReactNode) =>
    value === null || value === REDACTED ? (
      value
    ) : (
      <details>
        <summary className="cursor-pointer text-muted">Show</summary>
        <span>{value}</span>
      </details>
    );
  return { ...row, left: fold(row.left), right: fold(row.right) };
}

/** A row for each name on either side. Repeated names are paired in order. */
function rowsOf(left: [string, string][], right: [string, string][]): ComparedRow[] {
  const rows = new Map<string, ComparedRow>();
  for (const [side, pairs] of [["left", left] as const, ["right", right] as const]) {
    const seen = new Map<string, number>();
    for (const [name, value] of pairs) {
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      const key = `${nth} ${name}`;
      const row = rows.get(key) ?? { name, left: null, right: null, isSame: false };
      rows.set(key, { ...row, [side]: value, isSame: row.left === value });
    }
  }
  return [...rows.values()];
}
