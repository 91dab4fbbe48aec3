/**
 * A shell command that a click selects. Long commands wrap on the screen but not in the clipboard,
 * and the prompt is not copied.
 */
export function Command({ children }: { children: string }) {
  return (
    <pre className="command">
      <code>
        {/* A line may begin with an option, and never ends within one. */}
        {children.split(/(?<= )(?=-)|(?<=-\S+)(?= )/).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
          <span key={index} className={part.startsWith("-") ? "whitespace-nowrap" : undefined}>
            {part}
          </span>
        ))}
      </code>
    </pre>
  );
}
