import { scaleLinear, scaleUtc } from "d3-scale";
import { area, curveStepAfter, line } from "d3-shape";
import { bytes } from "@/components/ui/bytes";
import { Time } from "@/components/ui/time";
import type { VersionRow } from "@/lib/resources/artifacts/versions";

const WIDTH = 300;
const HEIGHT = 56;
/** More would merge into a line. */
const DOTS_MAX = 25;

type Step = Pick<VersionRow, "size" | "created_at">;

/** The size of an artifact from its oldest kept version until now. */
export function SizeChart({ versions, now }: { versions: VersionRow[]; now: number }) {
  const oldest = versions.at(-1);
  const newest = versions[0];
  if (!oldest || !newest) return null;
  const largest = Math.max(...versions.map(({ size }) => size), 1);
  const end = Math.max(now, oldest.created_at + 1);
  const time = scaleUtc([oldest.created_at * 1000, end * 1000], [0, WIDTH]).clamp(true);
  const x = ({ created_at }: Step) => time(created_at * 1000);
  const height = scaleLinear([0, largest], [HEIGHT, 0]);
  const y = ({ size }: Step) => height(size);
  const steps: Step[] = [...versions.toReversed(), { size: newest.size, created_at: end }];
  return (
    <figure>
      <figcaption className="flex justify-between gap-2 text-small text-muted tabular-nums">
        <span>Size</span>
        <span>peak {bytes(largest)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-1 block h-14 w-full overflow-visible border-b border-line text-accent"
        role="img"
        aria-label={`${versions.length} versions, from ${bytes(oldest.size)} to ${bytes(newest.size)}`}
      >
        <path
          d={area<Step>(x, HEIGHT, y).curve(curveStepAfter)(steps) ?? ""}
          fill="currentColor"
          opacity="0.1"
        />
        <path
          d={line<Step>(x, y).curve(curveStepAfter)(steps) ?? ""}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
        {versions.length <= DOTS_MAX &&
          versions.map((version) => (
            <path
              key={version.number}
              d={`M${x(version)} ${y(version)}h0.01`}
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
