/**
 * A shell command that a click selects. Long commands wrap on the screen but not in the clipboard,
 * and the prompt is not copied.
 */
export function Command({ children }: { children: string }) {
  return (
    <pre className="border border-line bg-surface py-2 pr-3 pl-7 font-mono text-small wrap-anywhere whitespace-pre-wrap before:absolute before:-ml-4 before:text-muted before:select-none before:content-['$']">
      <code className="select-all">{children}</code>
    </pre>
  );
}
