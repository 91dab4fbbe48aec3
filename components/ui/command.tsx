/** A shell command that a click selects. Long ones wrap on the screen, but not in the clipboard. */
export function Command({ children }: { children: string }) {
  return (
    <pre className="command">
      <code>{children}</code>
    </pre>
  );
}
