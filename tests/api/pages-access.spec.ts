import type { Pool } from "pg";
import { kinds } from "@/lib/resources/kinds";
import { challenges, expectStatus } from "../support/expectations";
import { expect, test } from "../support/fixtures";
import { exchange } from "../support/http";
import { pagePaths } from "../support/page-paths";
import { everyPage } from "../support/pages";
import { makePerson, openSession } from "../support/people";
import {
  artifact,
  inboxEvent,
  type Make,
  ofKind,
  question,
  type Resource,
  repliedInbox,
  task,
  webhookEvent,
} from "../support/resources";

/** Pages of one resource, and the streams and bodies that they fetch, are private to its organization. */

const KINDS: Record<string, Make> = {
  ...Object.fromEntries(kinds.map(({ name }) => [name, ofKind(name)])),
  artifacts: artifact,
  inboxes: inboxEvent,
  questions: question,
  webhooks: webhookEvent,
};

const ofOneResource = pagePaths().filter(
  (path) => kinds.some(({ name }) => name === folderOf(path)) && path.includes("["),
);

test("Every kind of resource has pages, which are tested", () => {
  const names = kinds.map(({ name }) => name).sort();
  expect([...new Set(ofOneResource.map(folderOf))].sort()).toEqual(names);
});

for (const page of ofOneResource) {
  test(`${page} of another organization is not found`, async ({
    api,
    db,
    baseUrl,
    organization,
    key,
    otherOrganization,
  }) => {
    const kind = /\/reply(?:\/preview)?$/.test(page)
      ? repliedInbox
      : (KINDS[folderOf(page)] ?? task);
    const path = filled(page, await kind({ api, db, key }));
    const status = (session?: string) => statusOf(baseUrl, path, session);
    const shown = await status(await sessionOf(db, organization.id));
    expect([200, 307]).toContain(shown);
    // A redirect reveals nothing, and its target is tested here as well.
    const expected = shown === 307 ? 307 : 404;
    expect(await status(await sessionOf(db, otherOrganization.id))).toBe(expected);
    expect(await status("stolen")).not.toBe(200);
    expect(await status()).not.toBe(200);
  });
}

test("Nobody else sees what an organization's pages show, but for what is public or shared", async ({
  api,
  db,
  baseUrl,
  organization,
  key,
  otherOrganization,
}) => {
  const lists = kinds.map(({ name }) => `/${name}?q=isTaken`);
  const paths = [...(await everyPage(api, key)), ...lists];
  const showing = async (session?: string, looked = paths) => {
    const headers = new Headers(session === undefined ? {} : { cookie: `session=${session}` });
    const shown: string[] = [];
    for (const path of looked) {
      const response = await fetch(baseUrl + path, { headers, redirect: "manual" });
      // As hostile text it is in every name and body.
      if ((await response.text()).includes("img src=x")) shown.push(path);
      const [, kind = ""] = path.split("/");
      if (session || !Object.hasOwn(KINDS, kind) || path.endsWith("missing")) continue;
      const next = `/sign-in?next=${encodeURIComponent(path)}`;
      expect.soft(response.headers.get("location"), path).toBe(next);
    }
    return shown;
  };
  const some = paths.filter((_, index) => index % 6 === 0);
  expect((await showing(await sessionOf(db, organization.id), some)).length).toBeGreaterThan(4);
  const open = [expect.stringMatching(/^\/claim\/tsk_/), expect.stringMatching(/^\/a\//)];
  expect(await showing(await sessionOf(db, otherOrganization.id))).toEqual(open);
  expect(await showing()).toEqual(open);
});

test("Anybody with its URL can open the page of a public resource", async ({
  api,
  db,
  baseUrl,
}) => {
  for (const [name, kind] of Object.entries(KINDS)) {
    const { params } = await kind({ api, db, key: undefined });
    expect(await statusOf(baseUrl, `/${name}/${params.id}`), name).toBe(200);
  }
});

test("What pages fetch answers 401 with the challenge of the API", async ({ api, baseUrl }) => {
  const ofOther = { headers: { "x-owner": "usr_other org_other" } };
  for (const refused of [
    await api("GET", "/dashboard/find"),
    await api("GET", "/tasks/live", ofOther),
    await api("GET", "/dashboard/signals?view=other"),
  ]) {
    expectStatus(refused, 401);
    expect(refused.headers.all("www-authenticate")).toEqual([challenges(baseUrl).credentialNeeded]);
  }
});

test("A zero byte in place of an ID is not found on any page", async ({
  api,
  db,
  baseUrl,
  organization,
}) => {
  const session = await sessionOf(db, organization.id);
  for (const page of ofOneResource) {
    const status = await statusOf(baseUrl, page.replaceAll(/\[[^\]]+\]/g, "%00"), session);
    // A redirect leads to the page of the whole resource.
    expect([404, 307], page).toContain(status);
  }
  const { id } = (await api("POST", "/api/inboxes", { body: { name: "For all" } })).body;
  const gone = await fetch(`${baseUrl}/inboxes/${id}?event=%00`);
  expect(await gone.text()).toContain("This event is gone");
});

/** Invalid UTF-8, invalid percent-encoding, and path separators. */
const MALFORMED = ["%zz", "%ff", "%2e%2e%2f", "%25"];

test("Malformed text in place of an ID never causes a 5xx on any page", async ({
  db,
  baseUrl,
  organization,
}) => {
  const session = await sessionOf(db, organization.id);
  const paths = pagePaths().flatMap((page, turn) =>
    page.includes("[")
      ? MALFORMED.filter((_, index) => index % 2 === turn % 2).map((part) =>
          page.replaceAll(/\[[^\]]+\]/g, part),
        )
      : [`${page}?q=${turn % 2 === 0 ? "%00" : "%ff"}`],
  );
  const failed: string[] = [];
  for (const path of paths) {
    const status = await statusOf(baseUrl, path, session);
    if (!(status >= 200 && status < 500)) failed.push(`${path}: ${status}`);
  }
  expect(failed).toEqual([]);
});

function folderOf(page: string): string {
  return page.split("/")[1] ?? "";
}

function filled(page: string, { params }: Resource): string {
  return page.replaceAll(/\[(\w+)\]/g, (_, name: string) => params[name] ?? "");
}

async function sessionOf(db: Pool, organizationId: string) {
  return await openSession(db, (await makePerson(db, organizationId)).id);
}

/** Only the status, because a stream never ends. */
async function statusOf(baseUrl: string, path: string, session?: string): Promise<number> {
  const { host } = new URL(baseUrl);
  const cookie = session === undefined ? "" : `Cookie: session=${session}\r\n`;
  const head = await exchange(
    baseUrl,
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${cookie}Connection: close\r\n\r\n`,
    /\r\n\r\n/,
  );
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
}
