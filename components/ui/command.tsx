/**
 * A shell command that a click selects. Long commands wrap on the screen but not in the clipboard,
 * and the prompt is not copied.
 */
export function Command({ children }: { children: string }) {
  return (
    <pre className="command">
      <code>{children}</code>
    </pre>
  );
}
