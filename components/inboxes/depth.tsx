interface Props {
  pending: number;
  limit: number;
}

/** How full an inbox is: a bar, and in numbers. */
export function Depth({ pending, limit }: Props) {
  const share = Math.min(pending / limit, 1);
  const colour = share >= 1 ? "bg-failed" : share >= 0.9 ? "bg-waiting" : "bg-ink";
  return (
    <span className="inline-flex items-center gap-2 text-small text-muted tabular-nums">
      <span aria-hidden="true" className="h-1.5 w-16 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full rounded-full ${colour}`}
          style={{ width: `${pending === 0 ? 0 : Math.max(share * 100, 3)}%` }}
        />
      </span>
      {pending} of {limit}
    </span>
  );
}
