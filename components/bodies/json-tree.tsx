import { CodeBlock } from "@/components/ui/code-block";
import { truncate } from "@/components/ui/truncate";

/** Larger values are shown as text. */
const NODES_MAX = 1500;
const DEPTH_MAX = 30;
const TEXT_MAX = 50_000;
/** Deeper levels are folded at first. */
const OPEN_LEVELS = 4;

/** A JSON value as a foldable tree that works without scripts and with the browser's search. */
export function JsonTree({ value }: { value: unknown }) {
  if (!isSmall(value)) return <CodeBlock label="JSON">{asText(value)}</CodeBlock>;
  return (
    <section
      aria-label="JSON"
      className="overflow-x-auto rounded-md border border-line bg-surface px-3 py-2 font-mono text-small"
    >
      <Value value={value} depth={0} />
    </section>
  );
}

function Value({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const label =
    name === undefined ? null : <span className="text-muted">{name.toWellFormed()}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <p className="wrap-anywhere whitespace-pre-wrap">
        {label}
        <span className={typeof value === "string" ? "" : "text-accent"}>
          {JSON.stringify(value)}
        </span>
      </p>
    );
  }
  const entries = Object.entries(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) {
    return (
      <p>
        {label}
        {open}
        {close}
      </p>
    );
  }
  return (
    <details open={depth < OPEN_LEVELS}>
      <summary className="cursor-pointer wrap-anywhere">
        {label}
        {open}
        <span data-note className="text-muted">
          {" "}
          {entries.length} {close}
        </span>
      </summary>
      <div className="ml-1 border-l border-line pl-3">
        {entries.map(([key, child]) => (
          <Value key={key} name={key} value={child} depth={depth + 1} />
        ))}
      </div>
    </details>
  );
}

function isSmall(value: unknown): boolean {
  let level = [value];
  let nodes = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    nodes += level.length;
    if (nodes > NODES_MAX || depth > DEPTH_MAX) return false;
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? Object.values(one) : [],
    );
  }
  return true;
}

function asText(value: unknown): string {
  try {
    return truncate(JSON.stringify(value, null, 2), TEXT_MAX);
  } catch {
    return "Nested too deeply to display. See the raw view.";
  }
}
