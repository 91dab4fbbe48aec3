import { Icon } from "./icon";

/** Monospaced text that a click copies, such as an ID. */
export function CopyText({ text, shown = text }: { text: string; shown?: string }) {
  return (
    <button
      type="button"
      data-copy={text}
      title={`Copy ${text}`}
      className="relative z-1 min-h-6 max-w-full truncate rounded font-mono text-small text-muted hover:text-ink"
    >
      {shown}
    </button>
  );
}

export function CopyButton({ text, children }: { text: string; children: string }) {
  return (
    <button type="button" data-copy={text} {...exactly(text)} className="button noscript:hidden">
      <Icon name="copy" />
      {children}
    </button>
  );
}

/** A key or a secret, which a click selects, with a button that copies it. */
export function CopyCode({ children, className = "" }: { children: string; className?: string }) {
  return (
    <p className={`flex flex-wrap items-center gap-2 ${className}`}>
      <code className="rounded border border-line bg-canvas px-2 py-1 font-mono wrap-anywhere select-all">
        {children}
      </code>
      <CopyButton text={children}>Copy</CopyButton>
    </p>
  );
}

/** HTML turns CR LF in an attribute into LF and has no NUL, so such texts are copied from JSON. */
function exactly(text: string) {
  return /[\r\0]/.test(text) ? { "data-copy-json": JSON.stringify(text) } : {};
}
