/** A state, as a word with a colour and a shape. */
export function State({ word, tone }: { word: string; tone: Tone }) {
  const { colour, path } = TONES[tone];
  return (
    <span className={`inline-flex items-center gap-1.5 text-small ${colour}`}>
      <svg viewBox="0 0 8 8" className="size-2 shrink-0" aria-hidden="true" fill="currentColor">
        <path d={path} />
      </svg>
      {word !== "" && <span className="first-letter:uppercase">{word}</span>}
    </span>
  );
}

export type Tone = keyof typeof TONES;

const TONES = {
  ok: { colour: "text-ok", path: "M4 0a4 4 0 1 0 0 8 4 4 0 0 0 0-8z" },
  waiting: { colour: "text-waiting", path: "M4 0l4 4-4 4-4-4z" },
  failed: { colour: "text-failed", path: "M0 0h8v8H0z" },
  quiet: {
    colour: "text-muted",
    path: "M4 0a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 1.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z",
  },
} as const;
