/** An HTTP method, at one width so that a list of them lines up. */
export function MethodBadge({ method }: { method: string }) {
  return (
    <span className="inline-block w-14 shrink-0 truncate rounded border border-line px-1 text-center font-mono text-[0.6875rem] leading-4.5 text-muted">
      {method}
    </span>
  );
}
