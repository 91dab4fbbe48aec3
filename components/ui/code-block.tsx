/** Text as it is, in mono; long lines wrap. */
export function CodeBlock({ children, label }: { children: string; label: string }) {
  return (
    <section aria-label={label} className="rounded-md border border-line bg-surface px-3 py-2">
      <pre className="font-mono text-small wrap-anywhere whitespace-pre-wrap">{children}</pre>
    </section>
  );
}
