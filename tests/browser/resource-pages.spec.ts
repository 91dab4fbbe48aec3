import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "../support/browser-fixtures";
import { makeOneOfEach } from "../support/pages";
import { makePerson } from "../support/people";

const HOSTILE = `<img src=x onerror="document.title='taken'"></script><script>document.title='taken'</script>`;

test("A captured request waits behind a pill, appears without a reload, and is replayed byte for byte", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { key, body: { name: "Live" } });
  await page.goto(`${baseUrl}/webhooks/${endpoint.id}`);
  await expect(page.getByText("live", { exact: true })).toBeVisible();
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  await api("PUT", `/api/catch/${endpoint.id}/orders`, { raw: '{"order": 17}' });
  await page.getByRole("button", { name: "1 new" }).click();
  await page.getByRole("link", { name: /\/orders/ }).click();
  await expect(page.getByRole("region", { name: "Body" })).toContainText('"order": 17');
  expect(await page.evaluate(() => "notReloaded" in window)).toBe(true);

  const target = await startTarget();
  await page.getByLabel("Replay to").fill(`${target.url}/again`);
  await page.getByRole("button", { name: "Replay" }).click();
  await expect(page).toHaveURL(/\/messages\/msg_/);
  await api("POST", "/api/messages/dispatch");
  await page.reload();
  await expect(page.getByText("Try 1: taken")).toBeVisible();
  expect(target.requests).toEqual([{ method: "PUT", url: "/again", body: '{"order": 17}' }]);
  await target.close();
});

test("A test request from the page is captured", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  const { body: endpoint } = await api("POST", "/api/webhooks", { key, body: { name: "Mine" } });
  await page.goto(`${baseUrl}/webhooks/${endpoint.id}`);
  await page.getByRole("button", { name: "Send a test request" }).click();
  await expect(page.getByRole("link", { name: /Hello from the dashboard/ })).toBeVisible();
});

test("A message that failed is tried again from its page, and its timeline tells both", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  const target = await startTarget(404);
  const { body } = await api("POST", "/api/messages", {
    key,
    body: { url: `${target.url}/hook`, body: "x", delay_seconds: 0 },
  });
  await api("POST", "/api/messages/dispatch");
  await page.goto(`${baseUrl}/messages/${body.id}`);
  await expect(page.getByText("Try 1: failed")).toBeVisible();
  target.answer(200);
  await page.getByRole("button", { name: "Retry now" }).click();
  await expect(page.getByText("Fires", { exact: true })).toBeVisible();
  await api("POST", "/api/messages/dispatch");
  await page.reload();
  await expect(page.getByText("Try 2: taken")).toBeVisible();
  await expect(page.getByText("Try 1: failed")).toBeVisible();
  await target.close();
});

test("A message is scheduled, edited and canceled in the pages", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  await page.goto(`${baseUrl}/messages?new=1`);
  await page.getByLabel("URL").fill("https://example.com/later");
  await page.getByLabel("Fires in").fill("3");
  await page.getByLabel("Unit").selectOption("hours");
  await page.getByLabel("Headers").fill("X-One: 1");
  await page.getByRole("button", { name: "Schedule message" }).click();
  await expect(page).toHaveURL(/\/messages\/msg_/);
  const path = `/api/messages/${page.url().split("/").at(-1)}`;
  const read = async () => JSON.parse((await api("GET", path, { key })).bytes.toString());
  const made = await read();
  expect(made.scheduled_at - made.created_at).toBe(10_800);
  expect(made.headers).toEqual({ "X-One": "1" });

  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Method").selectOption("PUT");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("article", { name: "PUT https://example.com/later" })).toBeVisible();
  await page.getByRole("button", { name: "Cancel message" }).click();
  await expect(page.getByText("Canceled", { exact: true })).toBeVisible();
  expect((await read()).status).toBe("canceled");
});

test("A dead event is redriven from its page, and a purge asks for the inbox's name", async ({
  page,
  api,
  db,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  const { body: inbox } = await api("POST", "/api/inboxes", { key, body: { name: "Jobs" } });
  const { body: event } = await api("POST", `/api/inboxes/${inbox.id}/events`, { raw: "work" });
  await db.query("UPDATE inbox_events SET visible_at = 'infinity' WHERE id = $1", [event.id]);
  await page.goto(`${baseUrl}/inboxes/${inbox.id}?state=dead`);
  await page.getByRole("link", { name: "work" }).click();
  await page.getByRole("button", { name: "Redrive" }).click();
  await expect(page.getByRole("article").getByText("ready")).toBeVisible();

  await page.goto(`${baseUrl}/inboxes/${inbox.id}`);
  await page.getByRole("button", { name: "Purge 1 events" }).click();
  const dialog = page.getByRole("dialog", { name: "Purge 1 events?" });
  await dialog.getByLabel("Type Jobs").fill("Job");
  await dialog.getByRole("button", { name: "Purge 1 events" }).click();
  const left = async () =>
    (await api("GET", `/api/inboxes/${inbox.id}/events`, { key })).body.data.length;
  expect(await left()).toBe(1);
  await dialog.getByLabel("Type Jobs").fill("Jobs");
  await dialog.getByRole("button", { name: "Purge 1 events" }).click();
  await expect(page.getByText("This inbox is empty")).toBeVisible();
  expect(await left()).toBe(0);
});

test("An artifact is written, rendered, shared and no longer shared", async ({
  page,
  browser,
  person: _person,
  baseUrl,
}) => {
  await page.goto(`${baseUrl}/artifacts?new=1`);
  await page.getByLabel("Name").fill("Report");
  await page.getByLabel("Content").fill("# Quarter\n\n**Good.**");
  await page.getByRole("button", { name: "Create artifact" }).click();
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "Quarter" })).toBeVisible();
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = (await page.getByTitle("Copy the link").textContent()) ?? "";
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(link);
  await expect(stranger.getByRole("heading", { name: "Report" })).toBeVisible();
  await page.getByRole("button", { name: "Revoke all links" }).click();
  await expect.poll(async () => (await stranger.goto(link))?.status()).toBe(404);
  await stranger.context().close();
});

test("What strangers write is text on every page, and runs nowhere", async ({
  page,
  api,
  person: _person,
  organization: { key },
  baseUrl,
}) => {
  test.setTimeout(120_000);
  const { paths } = await makeOneOfEach(api, key, HOSTILE);
  for (const path of [...paths, "/dashboard"]) {
    await page.goto(baseUrl + path);
    await expect(page.getByRole("main"), path).toContainText(/<img|&lt;img|%3Cimg|3c 69 6d 67/);
    expect(await page.title(), path).not.toBe("taken");
    expect(await page.locator("main img, main script").count(), path).toBe(0);
  }
});

test("Of another organization's resources no page, frame, stream or file shows anything", async ({
  browser,
  api,
  db,
  organization: { key },
  otherOrganization,
  signInAs,
  baseUrl,
}) => {
  test.setTimeout(120_000);
  const { paths, endpointId, artifactId } = await makeOneOfEach(api, key, "Their secret");
  const context = await browser.newContext();
  await signInAs(context, await makePerson(db, otherOrganization.id));
  const event = paths.find((path) => path.includes("/events/wev_"));
  const own = [
    `/artifacts/${artifactId}/view`,
    `/artifacts/${artifactId}/view?download=1`,
    `/webhooks/${endpointId}/events/stream`,
    `${event?.split("?")[0]}/body`,
  ];
  for (const path of [...paths, ...own]) {
    const answer = await context.request.get(baseUrl + path);
    expect(await answer.text(), path).not.toContain("Their secret");
    const isList = path.split("/").length === 2;
    expect(answer.status(), path).toBe(isList ? 200 : 404);
  }
  await context.close();
});

/** A real HTTP server on loopback that notes what it is sent. */
async function startTarget(status = 200) {
  const requests: { method: string | undefined; url: string | undefined; body: string }[] = [];
  let answered = status;
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    requests.push({ method: request.method, url: request.url, body });
    response.writeHead(answered).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer(next: number) {
      answered = next;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
