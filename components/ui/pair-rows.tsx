import type { ReactNode } from "react";

interface Props {
  label: string;
  /** In order. Names may repeat. */
  rows: [name: string, value: ReactNode][];
}

export function PairRows({ label, rows }: Props) {
  return (
    <dl
      aria-label={label}
      className="grid grid-cols-[minmax(6rem,11rem)_minmax(0,1fr)] gap-x-4 font-mono text-small"
    >
      {rows.map(([name, value], index) => (
        <div
          key={[index, name].join()}
          className="col-span-2 grid grid-cols-subgrid border-b border-line py-1"
        >
          <dt className="wrap-anywhere text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere whitespace-pre-wrap">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
