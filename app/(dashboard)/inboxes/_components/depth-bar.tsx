/** How full an inbox is, as a bar and as numbers. */
export function DepthBar({ pending, max }: { pending: number; max: number }) {
  const share = Math.min(pending / max, 1);
  const colour = share >= 0.9 ? "bg-failed" : share >= 0.6 ? "bg-waiting" : "bg-muted";
  return (
    <span className="inline-flex items-center gap-2 text-small tabular-nums">
      <span aria-hidden="true" className="block h-1.5 w-16 rounded-full bg-line max-sm:hidden">
        {pending > 0 && (
          <span
            className={`block h-full min-w-1.5 rounded-full ${colour}`}
            style={{ width: `${share * 100}%` }}
          />
        )}
      </span>
      {pending.toLocaleString("en")} of {max.toLocaleString("en")}
    </span>
  );
}
