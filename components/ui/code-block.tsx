import { codeTokens } from "@/lib/platform/code-tokens";

/** Preformatted text. Long lines wrap unless the user has turned that off. */
export function CodeBlock({ children, label }: { children: string; label: string }) {
  return (
    <section aria-label={label} className="rounded-md border border-line bg-surface px-3 py-2">
      <pre className="code-text">{children}</pre>
    </section>
  );
}

/** Source code in colours, coloured by the server. Its lines scroll sideways. */
export function Source({ code, language }: { code: string; language: string }) {
  let at = 0;
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line bg-surface px-3 py-2 font-mono text-small leading-5"
    >
      {codeTokens(code, language)?.map(({ look, text }) => {
        at += text.length;
        return look ? (
          <span key={at} className={look}>
            {text}
          </span>
        ) : (
          text
        );
      }) ?? code}
    </pre>
  );
}
