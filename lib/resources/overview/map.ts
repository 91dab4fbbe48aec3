import { hostOf, withoutScheme } from "@/lib/resources/messages/target";
import type { ScheduleTarget } from "@/lib/resources/schedules/contract";
import { readMapSources } from "./map-sources";

/** Each kind of node has its column. */
const COLUMNS = {
  webhooks: 0,
  schedules: 0,
  messages: 0,
  changes: 0,
  inboxes: 1,
  host: 1,
  tasks: 2,
  artifacts: 3,
};
/** The rest of a column is one node. */
const COLUMN_MAX = 8;

/** A resource, or all tasks or artifacts, or the rest of a column. */
export interface Node {
  id: string;
  kind: keyof typeof COLUMNS;
  column: number;
  name: string;
  href: string;
  /** How much went through it. */
  count: number;
  isFailing: boolean;
}

/** How much went from one node to another, and how much of it failed. */
export interface Edge {
  from: string;
  to: string;
  count: number;
  failed: number;
}

/** How an organization's resources are connected, and what went along since the last full hour. */
export interface ResourceMap {
  nodes: Node[];
  edges: Edge[];
}

/** Reads a bounded number of rows, however many resources there are. */
export async function loadMap(organizationId: string): Promise<ResourceMap> {
  const graph = new Graph();
  const { endpoints, inboxes, schedules, flows, subscriptions, made, origins } =
    await readMapSources(organizationId);
  for (const { id, name, count } of inboxes) graph.add("inboxes", id, name, count);
  for (const { id, name, count } of endpoints) graph.add("webhooks", id, name, count);
  for (const { id, name, count } of schedules) graph.add("schedules", id, name, count);
  for (const { id, count, is_held, inbox_id, url } of endpoints) {
    if (inbox_id !== null) graph.connect(id, inbox_id, count, is_held ? Math.max(count, 1) : 0);
    if (url !== null) graph.connect(id, graph.host(url), 0, is_held ? 1 : 0);
  }
  for (const { id, target, count, failed } of schedules) {
    if (target === null) continue;
    const { inbox_event, message, task } = JSON.parse(target) as ScheduleTarget;
    if (task) graph.connect(id, graph.all("tasks"), count, failed);
    else if (message) graph.connect(id, graph.host(message.url), 0, failed);
    else if (inbox_event) graph.connect(id, inbox_event.inbox_id, count, failed);
  }
  for (const { inbox_id, url } of subscriptions) {
    const changes = graph.all("changes");
    if (inbox_id !== null) graph.connect(changes, inbox_id, 0, 0);
    if (url !== null) graph.connect(changes, graph.host(url), 0, 0);
  }
  for (const { source, host, count, failed } of flows) {
    const from = graph.has(source)
      ? source
      : graph.all(source.startsWith("sub_") ? "changes" : "messages");
    graph.connect(from, graph.host(host), count, failed);
    graph.count(graph.host(host), count);
    if (from !== source) graph.count(from, count);
  }
  for (const { kind, external_id } of made) {
    graph.count(graph.all(kind), 1);
    if (external_id === null) continue;
    if (kind === "artifacts" && external_id.startsWith("tsk_")) {
      graph.connect(graph.all("tasks"), graph.all("artifacts"), 1, 0);
    }
    const origin = origins.get(external_id);
    if (origin !== undefined) graph.connect(origin, graph.all(kind), 1, 0);
  }
  return graph.grouped();
}

const ALL = {
  tasks: { name: "Tasks", href: "/tasks" },
  artifacts: { name: "Artifacts", href: "/artifacts" },
  messages: { name: "Messages", href: "/messages" },
  changes: { name: "Changes", href: "/settings?tab=developers" },
};

class Graph {
  private nodes = new Map<string, Node>();
  private edges = new Map<string, Edge>();

  add(
    kind: Node["kind"],
    id: string,
    name: string,
    count: number,
    href = `/${kind}/${id}`,
  ): string {
    const node = { id, kind, column: COLUMNS[kind], name, href, count, isFailing: false };
    if (!this.nodes.has(id)) this.nodes.set(id, node);
    return id;
  }

  has(id: string): boolean {
    return this.nodes.has(id);
  }

  /** The node of an address. */
  host(url: string): string {
    const host = hostOf(url);
    const href = `/messages?q=${encodeURIComponent(host)}`;
    return this.add("host", host, withoutScheme(host), 0, href);
  }

  /** The node of all resources of a kind. */
  all(kind: keyof typeof ALL): string {
    return this.add(kind, kind, ALL[kind].name, 0, ALL[kind].href);
  }

  count(id: string, count: number): void {
    const node = this.nodes.get(id);
    if (node) node.count += count;
  }

  /** Does nothing if one of them is not among the nodes, such as an inbox of another owner. */
  connect(from: string, to: string, count: number, failed: number): void {
    const target = this.nodes.get(to);
    if (!this.nodes.has(from) || !target) return;
    add(this.edges, { from, to, count, failed });
    if (failed > 0) target.isFailing = true;
  }

  /** At most `COLUMN_MAX` nodes in each column: those that fail, then the busiest. */
  grouped(): ResourceMap {
    const connected = new Set([...this.edges.values()].flatMap(({ from, to }) => [from, to]));
    const weightOf = ({ id, count, isFailing }: Node) =>
      (isFailing ? 1e15 : 0) + (connected.has(id) ? 1e12 : 0) + count;
    const shown: Node[] = [];
    const groupOf = new Map<string, string>();
    for (let column = 0; column <= COLUMNS.artifacts; column += 1) {
      const all = [...this.nodes.values()]
        .filter((node) => node.column === column)
        .sort((one, other) => weightOf(other) - weightOf(one));
      const kept = all.length > COLUMN_MAX ? all.slice(0, COLUMN_MAX - 1) : all;
      const rest = all.slice(kept.length);
      shown.push(...kept);
      for (const { id } of kept) groupOf.set(id, id);
      const [first] = rest;
      if (!first) continue;
      const group = {
        ...first,
        id: `rest ${column}`,
        name: `${rest.length} more`,
        href: first.kind === "host" ? "/messages" : `/${first.kind}`,
        count: rest.reduce((sum, { count }) => sum + count, 0),
      };
      shown.push(group);
      for (const { id } of rest) groupOf.set(id, group.id);
    }
    const edges = new Map<string, Edge>();
    for (const { from, to, ...counts } of this.edges.values()) {
      add(edges, { from: groupOf.get(from) ?? from, to: groupOf.get(to) ?? to, ...counts });
    }
    return { nodes: untangled(shown, [...edges.values()]), edges: [...edges.values()] };
  }
}

function add(edges: Map<string, Edge>, { from, to, count, failed }: Edge): void {
  const key = `${from} ${to}`;
  const known = edges.get(key) ?? { count: 0, failed: 0 };
  edges.set(key, { from, to, count: known.count + count, failed: known.failed + failed });
}

/** Sorts each column by where its edges come from, so that few of them cross. */
function untangled(nodes: Node[], edges: Edge[]): Node[] {
  const placed = new Map<string, number>();
  const sorted: Node[] = [];
  for (let column = 0; column <= COLUMNS.artifacts; column += 1) {
    const own = nodes.filter((node) => node.column === column);
    const originOf = ({ id }: Node) => {
      const places = edges.flatMap(({ from, to }) => (to === id ? [placed.get(from) ?? 0] : []));
      return places.length === 0
        ? Number.POSITIVE_INFINITY
        : places.reduce((sum, place) => sum + place, 0) / places.length;
    };
    const origins = new Map(own.map((node) => [node.id, originOf(node)]));
    if (column > 0) {
      own.sort((one, other) => (origins.get(one.id) ?? 0) - (origins.get(other.id) ?? 0) || 0);
    }
    for (const [place, { id }] of own.entries()) placed.set(id, place);
    sorted.push(...own);
  }
  return sorted;
}
