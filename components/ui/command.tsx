/** Browsers would break the line after the hyphen of an option. */
const OPTION = /(?<= )(-\w)(?= )/;

/**
 * A shell command that a click selects. Long commands wrap on the screen but not in the clipboard,
 * and the prompt is not copied.
 */
export function Command({ children }: { children: string }) {
  const words = children.split(OPTION);
  return (
    <pre className="command">
      <code>
        {words.map((word, index) =>
          index % 2 === 0 ? (
            word
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the words of a command do not move
            <span key={index} className="whitespace-nowrap">
              {word}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}
