import type { TaskNote } from "@/lib/resources/tasks/notes-contract";
import { expectStatus } from "./expectations";
import { type Api, type Body, jsonOf } from "./http";

/** A client for what finishes a task; `key` is sent with every call. */
export function finishClient(api: Api, key?: string) {
  const path = (id: string, rest: string) => `/api/tasks/${id}/${rest}`;
  const tryBlock = (id: string, by: string) => api("PUT", path(id, `blockers/${by}`), { key });
  return {
    tryBlock,
    async block(id: string, by: string) {
      expectStatus(await tryBlock(id, by), 204);
    },
    unblock: (id: string, by: string) => api("DELETE", path(id, `blockers/${by}`), { key }),
    async blockers(id: string): Promise<string[]> {
      const response = await api("GET", path(id, "blockers"), { key });
      expectStatus(response, 200);
      return response.body.data.map((blocker) => blocker.id);
    },
    complete: (id: string, body: object = {}) => api("POST", path(id, "complete"), { key, body }),
    addNote: (id: string, body: unknown) => api("POST", path(id, "notes"), { key, body: { body } }),
    async notes(id: string): Promise<TaskNote[]> {
      const response = await api("GET", path(id, "notes"), { key, query: { limit: 100 } });
      expectStatus(response, 200);
      return jsonOf<{ data: TaskNote[] }>(response).data;
    },
    async listed(query: Record<string, string>): Promise<Body[]> {
      const response = await api("GET", "/api/tasks", { key, query: { limit: 100, ...query } });
      expectStatus(response, 200);
      return response.body.data;
    },
  };
}
