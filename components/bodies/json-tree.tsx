import type { JsonContainer, JsonScalar, JsonValue } from "./json-value";

/** Deeper levels start folded. */
const OPEN_LEVELS = 4;

/** A JSON value as a foldable tree that works without scripts and with the browser's own search. */
export function JsonTree({ value }: { value: JsonValue }) {
  return (
    <section
      aria-label="JSON"
      // Names and values may be written in different directions.
      className="overflow-x-auto rounded-md border border-line bg-surface px-3 py-2 font-mono text-small leading-6 [&_span]:[unicode-bidi:isolate]"
    >
      <Value label={null} value={value} depth={0} />
    </section>
  );
}

interface Props<Shown> {
  /** A name as written, without quotation marks, or an index in an array. */
  label: string | null;
  value: Shown;
  depth: number;
}

function Value({ label, value, depth }: Props<JsonValue>) {
  if ("members" in value) return <Container label={label} value={value} depth={depth} />;
  return (
    <p className="wrap-anywhere whitespace-pre-wrap">
      <Label>{label}</Label>
      <Scalar value={value} />
    </p>
  );
}

function Container({ label, value, depth }: Props<JsonContainer>) {
  const { kind, members } = value;
  const [open, close] = kind === "array" ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) {
    return (
      <p>
        <Label>{label}</Label>
        {open}
        {close}
      </p>
    );
  }
  return (
    <details open={depth < OPEN_LEVELS}>
      <summary className="cursor-pointer wrap-anywhere">
        <Label>{label}</Label>
        {open}
        <span data-note className="text-muted">
          {" "}
          {members.length} {close}
        </span>
      </summary>
      <div className="ml-1 border-l border-line pl-3">
        {members.map(({ name, value: member }, index) => {
          const shown = name === null ? String(index) : name.slice(1, -1);
          // Names may repeat.
          return (
            <Value key={[index, shown].join()} label={shown} value={member} depth={depth + 1} />
          );
        })}
      </div>
    </details>
  );
}

function Label({ children }: { children: string | null }) {
  return children === null ? null : <span className="text-muted">{children}: </span>;
}

const COLOURS = { string: "text-ok", number: "text-waiting", word: "text-accent" };

/** A scalar, exactly as written. Pointing at escapes shows what they stand for. */
function Scalar({ value: { kind, raw } }: { value: JsonScalar }) {
  const hasEscapes = kind === "string" && raw.includes("\\");
  return (
    <span
      className={COLOURS[kind]}
      title={hasEscapes ? String(JSON.parse(raw)).toWellFormed() : undefined}
    >
      {raw}
    </span>
  );
}
