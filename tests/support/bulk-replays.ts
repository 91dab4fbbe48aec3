import { expect } from "playwright/test";
import { expectStatus } from "./expectations";
import type { Api } from "./http";
import { jsonOf } from "./inboxes";

interface Replay {
  id: string;
  status: string;
  total: number;
  searched: number;
  pending: number;
  delivered: number;
  failed: number;
  canceled: number;
  ended_at: number | null;
}

/** Starts a replay of all events that match a filter. */
export async function startReplay(
  api: Api,
  id: string,
  body: object,
  key: string,
): Promise<Replay> {
  const response = await api("POST", `/api/webhooks/${id}/replays`, { key, body });
  expectStatus(response, 202);
  return jsonOf<Replay>(response);
}

/** The replay once it has ended. */
export async function replayEnded(
  api: Api,
  id: string,
  replayId: string,
  key: string,
): Promise<Replay> {
  const path = `/api/webhooks/${id}/replays/${replayId}`;
  const read = async () => jsonOf<Replay>(await api("GET", path, { key }));
  await expect.poll(async () => (await read()).ended_at, { timeout: 20_000 }).not.toBeNull();
  return read();
}
