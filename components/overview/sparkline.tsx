const WIDTH = 120;
const HEIGHT = 28;
const GAP = 1;

/** Numbers as small bars, drawn on the server; in words for whoever does not see it. */
export function Sparkline({ values, label }: { values: number[]; label: string }) {
  const most = Math.max(...values, 1);
  const width = WIDTH / values.length;
  const bars = values.map((value, index) => {
    const height = value === 0 ? 1 : Math.max((value / most) * HEIGHT, 2);
    return `M${index * width} ${HEIGHT}v${-height}h${width - GAP}v${height}z`;
  });
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-7 w-full text-line-strong/60"
      role="img"
      aria-label={label}
    >
      <path d={bars.join("")} fill="currentColor" />
    </svg>
  );
}
