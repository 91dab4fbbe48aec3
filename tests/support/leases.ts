import type { Pool } from "pg";
import type { TaskLease, TaskLeaseResult } from "@/lib/resources/tasks/lease-contract";
import { expectStatus } from "./expectations";
import { type Api, type ApiResponse, type Body, jsonOf } from "./http";

export type Lease = TaskLease;
export type Next = TaskLeaseResult;

export type LeaseClient = ReturnType<typeof leaseClient>;

/** A client for tasks and their leases; `key` is sent with every call. */
export function leaseClient(api: Api, key?: string) {
  const path = (id: string) => `/api/tasks/${id}/lease`;
  const tryTake = (id: string, body: object) => api("POST", path(id), { key, body });
  return {
    async task(fields: object = {}): Promise<Body> {
      const response = await api("POST", "/api/tasks", { key, body: { name: "Work", ...fields } });
      expectStatus(response, 201);
      return response.body;
    },
    tryTake,
    async take(id: string, body: object = {}): Promise<Lease> {
      return leaseOf(await tryTake(id, { holder: "worker", ...body }));
    },
    held: (id: string) => api("GET", path(id), { key }),
    release: (id: string, lease_id: string) => api("DELETE", path(id), { key, body: { lease_id } }),
    async next(body: object = {}): Promise<Next> {
      const response = await api("POST", "/api/tasks/lease-next", {
        key,
        body: { holder: "worker", ...body },
      });
      expectStatus(response, 200);
      return jsonOf<Next>(response);
    },
  };
}

export function leaseOf(response: ApiResponse): Lease {
  expectStatus(response, 200);
  return jsonOf<Lease>(response);
}

/** Advances time for the leases of these tasks, by moving their expiry into the past. */
export async function elapseLeases(db: Pool, ids: string[], seconds: number) {
  await db.query(
    "UPDATE tasks SET lease_expires_at = lease_expires_at - $2::bigint WHERE id = ANY ($1)",
    [ids, seconds],
  );
}

/** The database's clock, in Unix seconds. */
export async function databaseNow(db: Pool): Promise<number> {
  const { rows } = await db.query<{ now: number }>("SELECT unix_now()::float8 AS now");
  return rows[0]?.now ?? Number.NaN;
}
