import { changesOf } from "../support/changes";
import { type EventStream, openEventStream } from "../support/event-stream";
import { expect, test } from "../support/fixtures";
import { makePerson, openSession, viewOf } from "../support/people";
import { capture, makeEndpoint } from "../support/webhooks";

/** What the stream has told, without its beats. */
const told = ({ messages }: EventStream) =>
  messages.map(({ data }) => data).filter((data) => data !== "beat");

test("A page's stream signals changes of its own organization, and captures that it may read", async ({
  api,
  baseUrl,
  db,
  organization,
  otherOrganization,
  key,
}) => {
  const person = await makePerson(db, organization.id);
  const cookie = `session=${await openSession(db, person.id)}`;
  const setBack = "UPDATE sessions SET last_seen_at = unix_now() - 600 WHERE user_id = $1";
  await db.query(setBack, [person.id]);
  const view = await viewOf(db, person.id, organization.id);
  const own = await makeEndpoint(api, { key });
  const foreign = await makeEndpoint(api, { key: otherOrganization.key });
  // Other tests' transactions may hold the feed back: the stream would tell of the new endpoint too.
  await expect.poll(async () => (await changesOf(api, key)).length).toBe(1);
  const path = `/dashboard/signals?view=${view}&endpoint=${own.id}&endpoint=${foreign.id}&endpoint=wh_0`;
  const stream = await openEventStream(baseUrl, path, { cookie });
  expect(stream).toMatchObject({ status: 200, contentType: "text/event-stream" });
  const [first] = told(stream);
  expect(first?.split(" ")).toEqual(expect.arrayContaining(["following", "tasks", own.id]));
  expect(first).not.toContain(foreign.id);

  await api("POST", "/api/tasks", { key: otherOrganization.key, body: { name: "theirs" } });
  await capture(api, foreign.id, { body: "theirs" });
  await api("POST", "/api/tasks", { key, body: { name: "ours" } });
  await capture(api, own.id, { body: "ours" });
  await expect.poll(() => told(stream).slice(1).sort()).toEqual(["tasks", own.id].sort());
  stream.close();
  // An open page is no use of its session.
  const unused = "SELECT FROM sessions WHERE user_id = $1 AND last_seen_at <= unix_now() - 600";
  expect((await db.query(unused, [person.id])).rowCount).toBe(1);
});

test("A page of another session or organization gets no stream, and an open one ends", async ({
  api,
  baseUrl,
  db,
  organization,
  otherOrganization,
  key,
}) => {
  const endpoint = await makeEndpoint(api, { key });
  const person = await makePerson(db, organization.id);
  await db.query("INSERT INTO members (organization_id, user_id, role) VALUES ($1, $2, 'owner')", [
    otherOrganization.id,
    person.id,
  ]);
  const cookie = `session=${await openSession(db, person.id)}`;
  const choose = (id: string) =>
    db.query("UPDATE sessions SET organization_id = $1 WHERE user_id = $2", [id, person.id]);
  await choose(organization.id);
  const [here, there] = await Promise.all(
    [organization, otherOrganization].map(({ id }) => viewOf(db, person.id, id)),
  );
  const open = (view: string | undefined, headers: Record<string, string>) =>
    openEventStream(baseUrl, `/dashboard/signals?view=${view}&endpoint=${endpoint.id}`, headers);
  expect((await open(there, { cookie })).status).toBe(401);
  expect((await open("visitor", { cookie })).status).toBe(401);
  expect((await open(here, {})).status).toBe(401);
  expect((await open("", { cookie })).status).toBe(401);
  const visitor = await open("visitor", {});
  expect(told(visitor)).toEqual(["following"]);
  visitor.close();

  const stream = await open(here, { cookie });
  expect(stream.status).toBe(200);
  await choose(otherOrganization.id);
  await stream.ended;
  expect((await open(here, { cookie })).status).toBe(401);
});
