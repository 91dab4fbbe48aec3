/** Preformatted text. Long lines wrap unless the user has turned that off. */
export function CodeBlock({ children, label }: { children: string; label: string }) {
  return (
    <section aria-label={label} className="rounded-md border border-line bg-surface px-3 py-2">
      <pre className="code-text">{children}</pre>
    </section>
  );
}
