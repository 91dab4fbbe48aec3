/** An HTTP method as a small badge. */
export function Method({ method }: { method: string }) {
  return (
    <span className="inline-block max-w-24 min-w-11 shrink-0 truncate rounded border border-line px-1 text-center font-mono text-small leading-4.5 text-muted">
      {method}
    </span>
  );
}
