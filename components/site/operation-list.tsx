import type { Operation } from "@/lib/http/operation";

/** Operations by their tag: method, path, what it does, whether a key is asked for. */
export function OperationList({ operations }: { operations: readonly Operation[] }) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.map((tag) => (
    <section
      key={tag}
      aria-labelledby={`tag-${tag}`}
      className="grid gap-x-12 border-t border-line pt-4 pb-2 lg:grid-cols-[18rem_minmax(0,1fr)]"
    >
      <h3 id={`tag-${tag}`} className="pb-2 font-semibold">
        {tag}
      </h3>
      <ul>
        {operations
          .filter((operation) => operation.tag === tag)
          .map((operation) => (
            <OperationRow key={operation.id} operation={operation} />
          ))}
      </ul>
    </section>
  ));
}

function OperationRow({ operation: { method, path, summary, auth } }: { operation: Operation }) {
  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)] items-baseline gap-x-3 pb-2 sm:grid-cols-[4rem_minmax(0,19rem)_minmax(0,1fr)_auto]">
      <span className="font-mono text-small text-muted">{method}</span>
      <code className="font-mono text-small wrap-anywhere">{path}</code>
      <span className="col-start-2 sm:col-start-auto">{summary}</span>
      <span className="col-start-2 text-small text-muted sm:col-start-auto sm:w-20 sm:text-right">
        {KEY[auth]}
      </span>
    </li>
  );
}

const KEY = { optional: "key optional", required: "key required", ignored: "no key" };
