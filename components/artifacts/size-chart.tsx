import { bytes } from "@/components/ui/bytes";
import { Time } from "@/components/ui/time";
import type { ArtifactVersion } from "@/lib/artifacts/history";

const WIDTH = 300;
const HEIGHT = 56;
/** More would be one thick line. */
const DOTS_MAX = 25;

/** The size of an artifact from its oldest kept version until now; each size holds until the next. */
export function SizeChart({ versions, now }: { versions: ArtifactVersion[]; now: number }) {
  const oldest = versions.at(-1);
  const newest = versions[0];
  if (!oldest || !newest) return null;
  const largest = Math.max(...versions.map(({ size }) => size), 1);
  const duration = Math.max(now - oldest.created_at, 1);
  const steps = versions.toReversed().map(({ number, size, created_at }) => ({
    number,
    x: ((created_at - oldest.created_at) / duration) * WIDTH,
    y: HEIGHT - (size / largest) * HEIGHT,
  }));
  const line = steps.map(
    ({ x, y }, index) => `${index === 0 ? "M" : "H"}${x} ${index === 0 ? y : `V${y}`}`,
  );
  const outline = `${line.join("")}H${WIDTH}`;
  return (
    <figure>
      <figcaption className="flex justify-between gap-2 text-small text-muted tabular-nums">
        <span>Size</span>
        <span>at most {bytes(largest)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-1 block h-14 w-full overflow-visible border-b border-line text-accent"
        role="img"
        aria-label={`${versions.length} versions, from ${bytes(oldest.size)} to ${bytes(newest.size)}`}
      >
        <path d={`${outline}V${HEIGHT}H0Z`} fill="currentColor" opacity="0.1" />
        <path
          d={outline}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
        {steps.length <= DOTS_MAX &&
          steps.map(({ number, x, y }) => (
            <path
              key={number}
              d={`M${x} ${y}h0.01`}
              stroke="currentColor"
              strokeWidth="5"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
          ))}
      </svg>
      <p className="mt-0.5 flex justify-between gap-2 text-small text-muted tabular-nums">
        <Time unix={oldest.created_at} />
        <span>now</span>
      </p>
    </figure>
  );
}
