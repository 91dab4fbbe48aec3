import { COUNT_MAX, type Holding } from "@/lib/resources/overview/holdings";

/** How much would be deleted with an organization. */
export function Holdings({ holdings }: { holdings: Holding[] }) {
  if (holdings.length === 0) return <p className="text-muted">It is empty.</p>;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1">
      {holdings.map(({ noun, count }) => (
        <li key={noun}>
          <span className="font-medium tabular-nums">
            {count > COUNT_MAX
              ? `more than ${COUNT_MAX.toLocaleString("en")}`
              : count.toLocaleString("en")}
          </span>{" "}
          {noun}
        </li>
      ))}
    </ul>
  );
}
