import { expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";
import { elapse, makeInbox } from "../support/inboxes";
import { githubHeaders } from "../support/signatures";
import { capture, makeEndpoint, readEvent } from "../support/webhooks";

/** The page that follows a captured event, as text. */

const SECRET = "It's a Secret to Everybody";

test("An event is followed into its inbox, through leases and errors, to its acknowledgement", async ({
  api,
}) => {
  const { id, inbox } = await forwardingToInbox(api);
  const event = await capture(api, id, { raw: "x" });
  expect(await story(api, id, event)).toMatch(
    /^Captured.*from.*Forwarded to the inbox.*Test.*Waiting for a worker.*Expires/,
  );
  await inbox.nack(await inbox.receiveOne({ consumer: "worker-1" }), { error: "Out of paper" });
  const lease = await inbox.receiveOne({ consumer: "worker-2" });
  expect(await story(api, id, event)).toMatch(
    /Received 2 times, last by worker-2.*Out of paper.*Leased by worker-2/,
  );
  expectStatus(await inbox.ack(lease), 204);
  const after = await story(api, id, event);
  expect(after).toMatch(/Received 2 times, last by worker-2.*Acknowledged by worker-2/);
  expect(after).not.toContain("Waiting for a worker");
});

test("A page says how each event left its inbox: acknowledged in a batch, deleted, purged, expired, or not known", async ({
  api,
  db,
}) => {
  const { id, inbox } = await forwardingToInbox(api);
  const [acked, deleted, dead, purged] = [
    await capture(api, id, { raw: "1" }),
    await capture(api, id, { raw: "2" }),
    await capture(api, id, { raw: "3" }),
    await capture(api, id, { raw: "4" }),
  ];
  const [first, , third] = await inbox.receive({ limit: 3 });
  await inbox.settle({
    acks: [{ event_id: first?.id, lease_id: first?.lease_id }],
    nacks: [{ event_id: third?.id, lease_id: third?.lease_id, dead: true, error: "Unreadable" }],
  });
  expect(await story(api, id, acked)).toContain("Acknowledged");
  expect(await story(api, id, dead)).toMatch(/Received once.*Unreadable.*Dead letter.*redriven/);
  expectStatus(await inbox.removeEvent(`iev_${deleted.slice(4)}`), 204);
  expect(await story(api, id, deleted)).toMatch(/Received once.*Deleted from the inbox/);
  await elapse(db, inbox.id, 10 * 86_400);
  expect(await story(api, id, dead)).toContain("Expired");
  // Removes the rows of expired events first.
  await inbox.redriveAll();
  expect(await story(api, id, dead)).toMatch(/Unreadable.*Dead letter.*Expired/);
  expect(await story(api, id, purged)).not.toContain("Dead letter");
  expect(await story(api, id, purged)).toContain("Expired");

  const last = await capture(api, id, { raw: "7" });
  expectStatus(await inbox.purge(), 204);
  expect(await story(api, id, last)).toContain("Deleted from the inbox");
  await db.query("UPDATE webhook_events SET inbox_end = NULL WHERE id = $1", [last]);
  expect(await story(api, id, last)).toMatch(/Left the inbox.*was not recorded/);
  expectStatus(await api("DELETE", inbox.path), 204);
  expect(await story(api, id, last)).toContain("The inbox was deleted");
  expect(await story(api, id, acked)).toMatch(/Acknowledged.*The inbox was deleted/);
});

test("A reply is shown while it is kept", async ({ api, db }) => {
  const { id, inbox } = await forwardingToInbox(api);
  const event = await capture(api, id, { raw: "x" });
  const lease = await inbox.receiveOne({ consumer: "worker-1" });
  const path = `${inbox.path}/events/${lease.id}/reply`;
  expectStatus(await api("POST", path, { query: { lease_id: lease.lease_id }, raw: "Done." }), 200);
  expect(await story(api, id, event)).toMatch(
    /Replied and acknowledged by worker-1.*Reply of 5 bytes$/,
  );
  await db.query("UPDATE inbox_replies SET expires_at = 0 WHERE event_id = $1", [lease.id]);
  expect(await story(api, id, event)).toContain("The reply is no longer kept");
});

test("An event that is held back, skipped or a repeat says why", async ({ api }) => {
  const { id, inbox } = await forwardingToInbox(api, { max_events: 1 });
  const verification = { body: { scheme: "github", secret: SECRET } };
  expectStatus(await api("PUT", `/api/webhooks/${id}/verification`, verification), 200);
  const signed = (raw: string, delivery: string) => ({
    raw,
    headers: githubHeaders(SECRET, raw, delivery),
  });
  const first = await capture(api, id, signed("1", "d-1"));
  const repeat = await capture(api, id, signed("1", "d-1"));
  const held = await capture(api, id, signed("2", "d-2"));
  const forged = await capture(api, id, { raw: "3", headers: githubHeaders("Wrong", "3") });
  expect(await story(api, id, repeat)).toMatch(
    /Verified.*A duplicate of an event.*Waiting for a worker/,
  );
  expect(await story(api, id, held)).toMatch(/Verified.*Held back: inbox full$/);
  expect(await story(api, id, forged)).toMatch(
    /Not verified: signature mismatch.*Not forwarded: not verified$/,
  );
  await inbox.ack(await inbox.receiveOne());
  await expect.poll(() => story(api, id, held)).toContain("Waiting for a worker");
  for (const event of [first, repeat]) {
    expect(await story(api, id, event)).toContain("Acknowledged");
  }
});

test("An event that is forwarded as a message shows its attempts, and says when the message was deleted", async ({
  api,
  db,
  otherOrganization,
}) => {
  const { id } = await makeEndpoint(api);
  await forward(api, id, { url: "https://example.invalid/hook" });
  const event = await capture(api, id, { raw: "x" });
  const messageId = async () => (await readEvent(api, id, event)).forward?.message_id;
  await expect.poll(messageId).toMatch(/^msg_/);
  expect(await story(api, id, event)).toMatch(
    /Forwarded as a message.*Message to example\.invalid.*Created/,
  );
  await api("POST", "/api/messages/dispatch", { body: {} });
  await expect.poll(() => story(api, id, event)).toMatch(/Attempt 1/);
  const message = await messageId();
  const claim = "UPDATE scheduled_messages SET organization_id = $2 WHERE id = $1";
  await db.query(claim, [message, otherOrganization.id]);
  expect(await story(api, id, event)).toContain("The message has another owner");
  await db.query(claim, [message, null]);
  expectStatus(await api("DELETE", `/api/messages/${message}`), 204);
  expect(await story(api, id, event)).toMatch(/Message deleted.*no longer known/);
});

test("Events of an inbox that another organization has claimed are not shown, nor how they end", async ({
  api,
  db,
  otherOrganization,
}) => {
  const { id, inbox } = await forwardingToInbox(api);
  const event = await capture(api, id, { raw: "x" });
  await db.query("UPDATE inboxes SET organization_id = $2 WHERE id = $1", [
    inbox.id,
    otherOrganization.id,
  ]);
  expect(await story(api, id, event)).toMatch(/The inbox has another owner$/);
  const path = `/api/inboxes/${inbox.id}/events/iev_${event.slice(4)}`;
  expectStatus(await api("DELETE", path, { key: otherOrganization.key }), 204);
  const { rows } = await db.query("SELECT inbox_end FROM webhook_events WHERE id = $1", [event]);
  expect(rows).toEqual([{ inbox_end: null }]);
});

async function forwardingToInbox(api: Api, fields: object = {}) {
  const { id } = await makeEndpoint(api);
  const inbox = await makeInbox(api, fields);
  await forward(api, id, { inbox_id: inbox.id });
  return { id, inbox };
}

async function forward(api: Api, id: string, body: object) {
  expectStatus(await api("PUT", `/api/webhooks/${id}/forward`, { body }), 200);
}

/** The steps on an event's page, as one line. */
async function story(api: Api, id: string, eventId: string): Promise<string> {
  const page = await api("GET", `/webhooks/${id}/events/${eventId}?tab=journey`);
  expectStatus(page, 200);
  const steps = /<ol class="ml-1 border-l[^>]*>(.*?)<\/ol>/s.exec(page.text)?.[1] ?? "";
  return steps
    .replaceAll("<!-- -->", "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
