import type { Operation } from "@/lib/platform/http/operation";
import { remembered } from "@/lib/platform/memoize";
import type { KindName } from "@/lib/resources/kinds";
import { routeBy } from "./route";
import { routerOf } from "./router";

/** Loads the operations of a kind, among them those that every kind has. */
const operations: Record<KindName, () => Promise<Record<string, Operation>>> = {
  artifacts: async () => (await import("@/lib/resources/artifacts/operations")).artifactOperations,
  inboxes: async () => (await import("@/lib/resources/inboxes/operations")).inboxOperations,
  messages: async () => (await import("@/lib/resources/messages/operations")).messageOperations,
  questions: async () => (await import("@/lib/resources/questions/operations")).questionOperations,
  schedules: async () => (await import("@/lib/resources/schedules/operations")).scheduleOperations,
  tasks: async () => (await import("@/lib/resources/tasks/operations")).taskOperations,
  webhooks: async () => (await import("@/lib/resources/webhooks/operations")).webhookOperations,
};

const routers = new Map<string, Promise<ReturnType<typeof routerOf<Operation>>>>();

/**
 * The handlers of the paths that every kind has. A process loads a kind for its first request, so
 * that a cold start does not load all of them.
 */
export const kindRoute = routeBy(async (path) => {
  const kind = path.split("/")[2] ?? "";
  if (!isKind(kind)) return undefined;
  const load = async () => routerOf(Object.values(await operations[kind]()));
  return (await remembered(routers, kind, load))(path);
});

function isKind(name: string): name is KindName {
  return Object.hasOwn(operations, name);
}
