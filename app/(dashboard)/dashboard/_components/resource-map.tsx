import { scaleSqrt } from "d3-scale";
import { linkHorizontal } from "d3-shape";
import { Icon, type IconName } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import type { Edge, Node, ResourceMap as Shown } from "@/lib/resources/overview/map";

/** The height of a node with its space, in pixels: `h-8.5`. */
const ROW = 34;
/** Where each column begins and ends, in percent of the width, and the same as classes. */
const COLUMNS = [
  { title: "From", start: 0, end: 24, place: "sm:left-[0%] sm:w-[24%]" },
  { title: "Inboxes and hosts", start: 32, end: 59, place: "sm:left-[32%] sm:w-[27%]" },
  { title: "Tasks", start: 67, end: 81, place: "sm:left-[67%] sm:w-[14%]" },
  { title: "Artifacts", start: 86, end: 100, place: "sm:left-[86%] sm:w-[14%]" },
];
const ICONS: Partial<Record<Node["kind"], IconName>> = { host: "out", changes: "refresh" };

/**
 * How resources are connected, as a picture of links, and on a narrow screen and for screen readers as
 * lists that name what each leads to.
 */
export function ResourceMap({ map: { nodes, edges } }: { map: Shown }) {
  const columns = COLUMNS.map((column, index) => ({
    ...column,
    nodes: nodes.filter((node) => node.column === index),
  }));
  const rows = Math.max(...columns.map((column) => column.nodes.length));
  const height = rows * ROW;
  const places = new Map(
    columns.flatMap(({ nodes: own, start, end }) =>
      own.map(({ id }, place) => {
        const y = height / 2 + (place - (own.length - 1) / 2) * ROW;
        return [id, { start, end, y }] as const;
      }),
    ),
  );
  const width = scaleSqrt([0, Math.max(...edges.map(({ count }) => count), 1)], [1, 9]);
  const curve = linkHorizontal();
  const drawn = edges.flatMap((edge) => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    if (!from || !to) return [];
    const d = curve({ source: [from.end, from.y], target: [to.start, to.y] });
    return [{ ...edge, d: d ?? "", width: width(edge.count) }];
  });
  if (edges.length === 0) return <Unconnected />;
  return (
    <div className="relative mx-4 my-3 sm:mx-6">
      <svg
        viewBox={`0 0 100 ${height}`}
        height={height}
        preserveAspectRatio="none"
        className="block w-full max-sm:hidden"
        aria-hidden="true"
        fill="none"
      >
        {drawn
          .sort((one, other) => one.failed - other.failed)
          .map(({ from, to, d, width: thickness, count, failed }) => (
            <path
              key={`${from} ${to}`}
              d={d}
              stroke="currentColor"
              strokeWidth={thickness}
              vectorEffect="non-scaling-stroke"
              className={
                failed > 0 ? "text-failed/70" : count > 0 ? "text-accent/45" : "text-line-strong/50"
              }
            />
          ))}
      </svg>
      {columns.map(({ title, place, nodes: own }) => (
        <ul
          key={title}
          aria-label={title}
          className={`sm:absolute sm:inset-y-0 sm:content-center ${place}`}
        >
          {own.map((node) => (
            <li key={node.id} className="py-1 sm:h-8.5 sm:py-0.75">
              <One node={node} />
              <Leads edges={edges.filter(({ from }) => from === node.id)} nodes={nodes} />
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

function One({ node: { kind, name, href, count, isFailing } }: { node: Node }) {
  return (
    // A next/link in every node would take a large part of the page's rendering time.
    <a
      href={href}
      data-follow=""
      title={name}
      className={`relative flex h-7 items-center gap-1.5 rounded-md border bg-canvas px-2 text-small hover:bg-surface ${isFailing ? "border-failed/60" : "border-line"}`}
    >
      <Icon
        name={ICONS[kind] ?? (kind as IconName)}
        className={isFailing ? "text-failed" : "text-muted"}
      />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {count > 0 && <span className="text-muted tabular-nums">{count.toLocaleString("en")}</span>}
    </a>
  );
}

function Leads({ edges, nodes }: { edges: Edge[]; nodes: Node[] }) {
  if (edges.length === 0) return null;
  const leads = edges.map(({ to, count, failed }) => {
    const name = nodes.find(({ id }) => id === to)?.name;
    const share = failed > 0 ? ` (${failed.toLocaleString("en")} failed)` : "";
    return `${count > 0 ? `${count.toLocaleString("en")} ` : ""}to ${name}${share}`;
  });
  return (
    <p className="line-clamp-4 pl-7 text-small text-muted wrap-anywhere sm:sr-only">
      {leads.join("; ")}
    </p>
  );
}

function Unconnected() {
  return (
    <p className="max-w-[40rem] px-4 py-4 text-muted sm:px-6">
      Nothing is connected yet. Forward an{" "}
      <Link href="/webhooks" className="link">
        endpoint
      </Link>{" "}
      to an inbox or a URL, or let a{" "}
      <Link href="/schedules" className="link">
        schedule
      </Link>{" "}
      create tasks: this map then shows what goes where and what fails.
    </p>
  );
}
