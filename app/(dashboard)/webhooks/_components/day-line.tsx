const WIDTH = 96;
const HEIGHT = 20;

/** The captures of the last 24 hours, as a line of bars. */
export function DayLine({ hours }: { hours: number[] }) {
  const total = hours.reduce((sum, count) => sum + count, 0);
  if (total === 0) return <span className="text-small text-muted">none</span>;
  const most = Math.max(...hours);
  const step = WIDTH / hours.length;
  const bars = hours.map((count, hour) => {
    const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
    return `M${hour * step} ${HEIGHT}v${-height}h${step - 1}v${height}z`;
  });
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="h-5 w-24 text-accent"
      role="img"
      aria-label={`${total.toLocaleString("en")} in 24 hours, ${most.toLocaleString("en")} an hour at most`}
    >
      <path d={bars.join("")} fill="currentColor" />
    </svg>
  );
}
