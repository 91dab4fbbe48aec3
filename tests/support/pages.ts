import type { Api } from "./http";

/** A path of every page that a signed-in person can open, each with something to show. */
export async function everyPage(api: Api, key: string): Promise<string[]> {
  const make = async (path: string, body: object, withKey = true) =>
    (await api("POST", path, { ...(withKey && { key }), body })).body;
  const due_at = Math.floor(Date.now() / 1000) - 3600;
  const task = await make("/api/tasks", {
    name: "A task",
    description: "What is to be done",
    priority: "critical",
    due_at,
    labels: ["in-progress", "finance"],
  });
  const open = await make("/api/tasks", { name: "A public task" }, false);
  return [
    "/dashboard",
    "/tasks",
    "/tasks?view=board",
    "/tasks?new=1",
    `/tasks/${task.id}`,
    `/tasks/${task.id}?edit=1`,
    `/tasks/tsk_missing`,
    "/keys",
    "/keys?new=1",
    "/settings",
    "/claim",
    `/claim/${open.id}`,
    `/claim/${task.id}`,
  ];
}
