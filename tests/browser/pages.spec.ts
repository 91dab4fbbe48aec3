import { resourceKinds } from "@/lib/resources/kinds";
import { insertTasks } from "../support/accounts";
import { barriersOn, complaintsOf } from "../support/barriers";
import { expect, test } from "../support/browser-fixtures";
import { everyPage, openHydrated } from "../support/pages";
import { makePerson } from "../support/people";
import { capture, makeEndpoint } from "../support/webhooks";

const SCRIPT_BYTES_MAX = 200_000;

test("No page has a serious accessibility barrier, light or dark, a refused script or an error in its console, or is wider than 320 px", async ({
  page,
  api,
  key,
}) => {
  test.setTimeout(600_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  const complaints = complaintsOf(page);
  for (const path of await everyPage(api, key)) {
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(path, { waitUntil: "load" });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect({ path, width }).toEqual({ path, width: 320 });
    await page.setViewportSize({ width: 1280, height: 720 });
    // axe waits for ever in a frame without scripts; what stands in it is an artifact's, not ours.
    for (const frame of await page.locator("iframe").all()) {
      await expect(frame).toHaveAttribute("title", /./);
      await frame.evaluate((element) => element.remove());
    }
    expect(await barriersOn(page)).toEqual([]);
  }
  expect(complaints).toEqual([]);
});

test("No page for signed-out visitors has a serious accessibility barrier, light or dark", async ({
  visitor: page,
  api,
  key,
}) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const { body: open } = await api("POST", "/api/tasks", { body: { name: "Anybody's" } });
  const { body: owned } = await api("POST", "/api/tasks", { key, body: { name: "Owned" } });
  const paths = ["/sign-in", "/", `/claim/${open.id}`, `/claim/${owned.id}`, `/tasks/${open.id}`];
  for (const path of [...paths, "/claim/tsk_0000000000000000000000000", "/nowhere"]) {
    await page.goto(path);
    expect(await barriersOn(page)).toEqual([]);
  }
});

test("No dialog, menu or popup has a serious accessibility barrier, light or dark", async ({
  page,
  mailingServer: { baseUrl },
  organization: { id, key },
  api,
  db,
}) => {
  const endpoint = await makeEndpoint(api, { key });
  await makePerson(db, id, "member");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${baseUrl}/keys?new=1`);
  await page.getByLabel("Name").fill("Shown once");
  await page.getByRole("button", { name: "Create key" }).click();
  await expect(page.getByRole("link", { name: "Done" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Revoke" }).first().click();
  await expect(page.getByRole("button", { name: "Revoke key" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);

  await page.goto(`${baseUrl}/tasks?new=1`);
  const labels = page.getByRole("combobox", { name: "Labels" });
  await labels.fill("one,two");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText("Add “two”");
  await labels.press("ArrowDown");
  expect(await barriersOn(page)).toEqual([]);

  await page.goto(`${baseUrl}/settings`);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("button", { name: "Remove member" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Test ${id}` }).click();
  await expect(page.getByRole("menuitemradio")).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);

  await page.goto(`${baseUrl}/webhooks/${endpoint.id}`);
  await page.getByRole("button", { name: "Send a test request" }).click();
  await expect(page.getByRole("dialog", { name: "Test request" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Send request" }).click();
  await expect(page.getByRole("dialog", { name: "Test request sent" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);

  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${baseUrl}/settings`);
  await page.getByRole("button", { name: "More" }).click();
  await expect(page.getByRole("link", { name: "Inboxes" })).toBeVisible();
  expect(await barriersOn(page)).toEqual([]);
});

test("A list of 10 000 rows is in the first HTML, and no list has more than 200 kB of scripts", async ({
  page,
  context,
  api,
  db,
  organization: { id, key },
}) => {
  test.setTimeout(120_000);
  await insertTasks(db, id, 10_000);
  const endpoint = await makeEndpoint(api, { key });
  const event = await capture(api, endpoint.id, { body: { a: 1 } });
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  const scripts = new Map<string, number>();
  network.on("Network.responseReceived", ({ type, requestId }) => {
    if (type === "Script") scripts.set(requestId, 0);
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scripts.set(requestId, encodedDataLength);
  });
  const answer = await page.goto("/tasks");
  expect(await answer?.text()).toContain("Task 10000");
  const lists = [...resourceKinds.map(({ name }) => `/${name}`), "/dashboard"];
  const opened = `/webhooks/${endpoint.id}/events/${event}`;
  for (const path of [...lists, "/tasks?new=1", opened]) {
    // Nothing that the page before still fetches is counted for this one.
    await page.goto("about:blank");
    scripts.clear();
    await page.goto(path, { waitUntil: "networkidle" });
    const bytes = [...scripts.values()].reduce((sum, one) => sum + one, 0);
    expect(bytes, path).toBeGreaterThan(0);
    expect(bytes, path).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
  }
});

test("A click on a list's row opens it without reloading the page, with Ctrl in a new tab", async ({
  page,
  api,
  key,
}) => {
  await everyPage(api, key);
  for (const list of [...resourceKinds.map(({ name }) => `/${name}`), "/dashboard"]) {
    await openHydrated(page, list);
    await page.evaluate(() => document.body.setAttribute("data-same", ""));
    const row = page.locator("[data-row]").first();
    const href = (await row.getAttribute("href")) ?? "";
    const opened = page.context().waitForEvent("page");
    await row.click({ modifiers: ["ControlOrMeta"] });
    await (await opened).close();
    await expect(page).toHaveURL(list);
    await row.click();
    await expect(page).toHaveURL(href);
    await expect(page.locator("body")).toHaveAttribute("data-same", "");
  }
});
