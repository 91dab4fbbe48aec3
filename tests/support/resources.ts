import type { Pool } from "pg";
import { type KindName, kindNamed } from "@/lib/resources/kinds";
import { type Api, jsonOf } from "./http";

/**
 * One resource of each kind, created over HTTP, in a state in which its operations succeed.
 */

export interface Resource {
  /** Values for `{id}`, `{eventId}` and so on in paths. */
  params: Record<string, string>;
  /** The path for GET and DELETE. */
  path: string;
  /** Properties that request bodies must repeat, such as the lease ID. */
  proof: Record<string, unknown>;
}

interface Making {
  api: Api;
  db: Pool;
  /** The owner's key; undefined creates a public resource. */
  key: string | undefined;
}

export type Make = (making: Making) => Promise<Resource>;

/** A resource as the first call of its kind creates it, with a name of its own. */
export function ofKind(kind: KindName): Make {
  const { body } = kindNamed(kind).first;
  const named = "name" in body ? { ...body, name: "Original" } : body;
  return (making) => create(making, `/api/${kind}`, named);
}

export const task: Make = (making) => create(making, "/api/tasks", { name: "Original" });

export async function heldTask(making: Making): Promise<Resource> {
  const resource = await task(making);
  const lease = await post(making, `${resource.path}/lease`, { holder: "The owner" });
  return { ...resource, proof: { lease_id: lease.lease_id } };
}

/** A task that waits for another of the same owner. */
export async function blockedTask(making: Making): Promise<Resource> {
  const resource = await task(making);
  const blocker = await task(making);
  const path = `${resource.path}/blockers/${blocker.params.id}`;
  const response = await making.api("PUT", path, { key: making.key });
  if (response.status !== 204) throw new Error(`PUT ${path}: ${response.status} ${response.text}`);
  return { ...resource, params: { ...resource.params, blockerId: blocker.params.id ?? "" } };
}

export async function artifact(making: Making): Promise<Resource> {
  const resource = await create(making, "/api/artifacts", { name: "Original", content: "# Hello" });
  return { ...resource, params: { ...resource.params, n: "1" } };
}

export async function sharedArtifact(making: Making): Promise<Resource> {
  const resource = await artifact(making);
  const { id, url } = await post(making, `${resource.path}/share`, {});
  const token = new URL(url).pathname.split("/")[2] ?? "";
  return { ...resource, params: { ...resource.params, shareId: id, token } };
}

export const webhook: Make = (making) => create(making, "/api/webhooks", { name: "Original" });

export async function webhookEvent(making: Making): Promise<Resource> {
  const { params, path } = await webhook(making);
  const { event_id } = await post(making, `/api/catch/${params.id}`, { captured: true });
  return eventOf(path, params, event_id);
}

export async function verifiedWebhook(making: Making): Promise<Resource> {
  const resource = await webhook(making);
  const settings = { scheme: "github", secret: "A shared secret" };
  await put(making, `${resource.path}/verification`, settings);
  return resource;
}

export async function forwardingWebhook(making: Making): Promise<Resource> {
  const resource = await webhook(making);
  await put(making, `${resource.path}/forward`, { url: "https://example.com/hook" });
  return resource;
}

/** With a bulk replay that has ended. There are no public ones. */
export async function replayedWebhook(making: Making): Promise<Resource> {
  const resource = await webhook(making);
  if (making.key === undefined)
    return { ...resource, params: { ...resource.params, replayId: "wrp_0" } };
  const replay = await post(making, `${resource.path}/replays`, {
    url: "https://example.com/hook",
  });
  return { ...resource, params: { ...resource.params, replayId: replay.id } };
}

export const inbox: Make = (making) => create(making, "/api/inboxes", { name: "Original" });

export async function inboxEvent(making: Making): Promise<Resource> {
  const { params, path } = await inbox(making);
  const { event_id } = await post(making, `${path}/events`, { ingested: true });
  return eventOf(path, params, event_id);
}

export async function leasedEvent(making: Making): Promise<Resource> {
  const resource = await inboxEvent(making);
  const inbox = resource.path.replace(/\/[^/]+$/, "");
  const { data } = await post(making, `${inbox}/receive`, {});
  return { ...resource, proof: { lease_id: data[0]?.lease_id } };
}

export async function deadEvent(making: Making): Promise<Resource> {
  const resource = await inboxEvent(making);
  await making.db.query("UPDATE inbox_events SET visible_at = 'infinity' WHERE id = $1", [
    resource.params.eventId,
  ]);
  return resource;
}

/** An inbox with a reply. Its event is gone. */
export async function repliedInbox(making: Making): Promise<Resource> {
  const { params, path, proof } = await leasedEvent(making);
  const { reply_url } = await post(making, `${path}/reply?lease_id=${proof.lease_id}`, {});
  const secret = reply_url.split("/").at(-1) ?? "";
  return { params: { ...params, secret }, path: `/api/inboxes/${params.id}`, proof };
}

export const message: Make = (making) =>
  create(making, "/api/messages", { url: "https://example.com/", delay_seconds: 86_400 });

export async function canceledMessage(making: Making): Promise<Resource> {
  const resource = await message(making);
  await post(making, `${resource.path}/cancel`, {});
  return resource;
}

/** There are no public ones: without a key it is one that does not exist. */
export async function subscription(making: Making): Promise<Resource> {
  const path = "/api/subscriptions";
  if (making.key === undefined)
    return { params: { id: "sub_0" }, path: `${path}/sub_0`, proof: {} };
  return create(making, path, { url: "https://example.com/hook" });
}

/** With a context, and with the token of its link. */
export async function question(making: Making): Promise<Resource> {
  const body = { ...kindNamed("questions").first.body, context: "Why it is asked." };
  const { id, claim_token, answer_url } = await post(making, "/api/questions", body);
  const answer_token = new URL(answer_url).hash.slice(1);
  const params = { id, part: "context", signature: "unsigned" };
  return { params, path: `/api/questions/${id}`, proof: { claim_token, answer_token } };
}

export const schedule: Make = (making) =>
  create(making, "/api/schedules", { cron: "0 0 1 1 *", target: { task: { name: "Scheduled" } } });

interface Made {
  id: string;
  url: string;
  event_id: string;
  lease_id: string;
  reply_url: string;
  answer_url: string;
  claim_token?: string;
  data: { lease_id: string }[];
}

async function create(making: Making, collection: string, body: object): Promise<Resource> {
  const { id, claim_token } = await post(making, collection, body);
  return { params: { id }, path: `${collection}/${id}`, proof: { claim_token } };
}

function eventOf(path: string, params: Record<string, string>, eventId: string): Resource {
  return { params: { ...params, eventId }, path: `${path}/events/${eventId}`, proof: {} };
}

function post(making: Making, path: string, body: object): Promise<Made> {
  return send(making, "POST", path, body);
}

function put(making: Making, path: string, body: object): Promise<Made> {
  return send(making, "PUT", path, body);
}

async function send({ api, key }: Making, method: string, path: string, body: object) {
  const response = await api(method, path, { key, body });
  if (response.status >= 300)
    throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return jsonOf<Made>(response);
}
