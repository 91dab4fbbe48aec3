import type { Api } from "./http";

/** A path of every page that a signed-in person can open, each with something to show. */
export async function everyPage(api: Api, key: string): Promise<string[]> {
  const made = await makeOneOfEach(api, key, "A name");
  const open = (await api("POST", "/api/tasks", { body: { name: "A public task" } })).body;
  return [
    "/dashboard",
    ...made.paths,
    "/tasks?view=board",
    "/tasks?new=1",
    `/tasks/${made.taskId}?edit=1`,
    "/tasks/tsk_missing",
    "/webhooks?new=1",
    "/artifacts?new=1",
    "/messages?new=1",
    "/inboxes?new=1",
    "/keys",
    "/keys?new=1",
    "/settings",
    "/claim",
    `/claim/${open.id}`,
    `/claim/${made.taskId}`,
  ];
}

/** A resource of every kind whose texts are all `text`, an event of each that has events, and their pages. */
export async function makeOneOfEach(api: Api, key: string, text: string) {
  const make = async (path: string, body: object) => (await api("POST", path, { key, body })).body;
  const due_at = Math.floor(Date.now() / 1000) - 3600;
  const task = await make("/api/tasks", {
    name: text,
    description: text,
    priority: "critical",
    due_at,
    labels: ["in-progress", text.slice(0, 90)],
    external_id: text,
  });
  const artifact = await make("/api/artifacts", { name: text, content: `# ${text}` });
  const endpoint = await make("/api/webhooks", { name: text, description: text });
  const captured = await api("POST", `/api/catch/${endpoint.id}/${encodeURIComponent(text)}`, {
    raw: JSON.stringify({ [text]: text }),
    query: { q: text },
    headers: {
      "content-type": "application/json",
      "x-text": encodeURI(text),
      "x-raw": "<img src=x>",
    },
  });
  const eventId = JSON.parse(captured.bytes.toString()).event_id;
  const message = await make("/api/messages", {
    url: `https://example.com/?q=${encodeURIComponent(text)}`,
    headers: { "x-raw": "<img src=x>" },
    body: text,
    delay_seconds: 3600,
  });
  const inbox = await make("/api/inboxes", { name: text, description: text });
  const received = await api("POST", `/api/inboxes/${inbox.id}/events`, {
    raw: text,
    headers: { "x-raw": "<img src=x>" },
  });
  return {
    taskId: task.id,
    artifactId: artifact.id,
    endpointId: endpoint.id,
    messageId: message.id,
    inboxId: inbox.id,
    paths: [
      "/tasks",
      `/tasks/${task.id}`,
      "/artifacts",
      `/artifacts/${artifact.id}`,
      `/artifacts/${artifact.id}?view=source`,
      `/artifacts/${artifact.id}?edit=1`,
      "/webhooks",
      `/webhooks/${endpoint.id}`,
      `/webhooks/${endpoint.id}?edit=1`,
      `/webhooks/${endpoint.id}/events/${eventId}`,
      `/webhooks/${endpoint.id}/events/${eventId}?view=raw`,
      `/webhooks/${endpoint.id}/events/${eventId}?view=hex`,
      "/messages",
      `/messages/${message.id}`,
      `/messages/${message.id}?edit=1`,
      "/inboxes",
      `/inboxes/${inbox.id}`,
      `/inboxes/${inbox.id}?edit=1`,
      `/inboxes/${inbox.id}/events/${received.body.id}`,
    ],
  };
}
