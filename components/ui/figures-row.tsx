interface Props {
  figures: { name: string; value: string; bad?: boolean }[];
}

/** A few numbers beside each other. */
export function FiguresRow({ figures }: Props) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
      {figures.map(({ name, value, bad }) => (
        <div key={name}>
          <dt className="text-small text-muted">{name}</dt>
          <dd className={`text-lead font-semibold tabular-nums ${bad ? "text-failed" : ""}`}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
