import { expect } from "playwright/test";
import type { BulkReplay } from "@/lib/resources/webhooks/replays/contract";
import { expectStatus } from "./expectations";
import { type Api, jsonOf } from "./http";

/** Starts a replay of all events that match a filter. */
export async function startReplay(
  api: Api,
  id: string,
  body: object,
  key: string,
): Promise<BulkReplay> {
  const response = await api("POST", `/api/webhooks/${id}/replays`, { key, body });
  expectStatus(response, 202);
  return jsonOf<BulkReplay>(response);
}

/** The replay once it has ended. */
export async function replayEnded(
  api: Api,
  id: string,
  replayId: string,
  key: string,
): Promise<BulkReplay> {
  const path = `/api/webhooks/${id}/replays/${replayId}`;
  const read = async () => jsonOf<BulkReplay>(await api("GET", path, { key }));
  await expect.poll(async () => (await read()).ended_at).not.toBeNull();
  return read();
}
