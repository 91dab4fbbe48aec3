const WIDTH = 96;
const HEIGHT = 20;

interface Props {
  counts: number[];
  /** All of them, such as "24 hours". */
  span: string;
  /** One of them, such as "an hour". */
  each: string;
}

/** Counts over time, as a line of bars. */
export function CountLine({ counts, span, each }: Props) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return <span className="text-small text-muted">none</span>;
  const most = Math.max(...counts);
  const step = WIDTH / counts.length;
  const bars = counts.map((count, place) => {
    const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
    return `M${place * step} ${HEIGHT}v${-height}h${step - 1}v${height}z`;
  });
  const label = `${total.toLocaleString("en")} in ${span}, ${most.toLocaleString("en")} ${each} at most`;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-5 w-24 text-accent"
      role="img"
      aria-label={label}
    >
      <path d={bars.join("")} fill="currentColor" />
    </svg>
  );
}
