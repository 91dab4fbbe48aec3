/**
 * One shell command. A click selects all of it, a long one wraps on the screen and stays one line in
 * the clipboard; the prompt is never copied.
 */
export function Command({ children }: { children: string }) {
  return (
    <pre className="border border-line bg-surface py-2 pr-3 pl-7 font-mono text-small wrap-anywhere whitespace-pre-wrap before:absolute before:-ml-4 before:text-muted before:select-none before:content-['$']">
      <code className="select-all">{children}</code>
    </pre>
  );
}
