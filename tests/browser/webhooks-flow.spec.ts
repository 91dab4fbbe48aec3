import { expect, test } from "../support/browser-fixtures";
import type { Body } from "../support/http";
import { openEvent } from "../support/pages";
import { githubHeaders } from "../support/signatures";

test("A person sets verification and forwarding on the endpoint's page, and sees what became of events", async ({
  page,
  db,
  endpoint,
  inbox,
}) => {
  const secret = "A-secret-only-typed";
  await page.goto(`/webhooks/${endpoint.id}`);
  const verification = page.getByRole("region", { name: "Verification" });
  await verification.getByText("Verify signatures").click();
  // Only the fields of the chosen sender are shown.
  const sender = verification.getByLabel("Sender");
  await expect(verification.getByText("in the settings of the webhook at GitHub")).toBeVisible();
  for (const [scheme, header, tolerance] of [
    ["hmac", true, false],
    ["standard_webhooks", false, true],
    ["github", false, false],
  ] as const) {
    await sender.selectOption(scheme);
    await expect(verification.getByLabel("Signature header")).toBeVisible({ visible: header });
    await expect(verification.getByLabel("Tolerance")).toBeVisible({ visible: tolerance });
  }
  await verification.getByLabel("Secret").fill(secret);
  await verification.getByRole("button", { name: "Save verification" }).click();
  await expect(verification.getByText("x-hub-signature-256")).toBeVisible();

  const forwarding = page.getByRole("region", { name: "Forwarding" });
  await forwarding.getByText("Forward events").click();
  await forwarding.getByLabel("To").selectOption("Test");
  await forwarding.getByRole("button", { name: "Save forwarding" }).click();
  await expect(forwarding.getByRole("link", { name: "Test" })).toBeVisible();

  // What is typed stays while the setting changes elsewhere, and does not replace what it has not shown.
  const methods = forwarding.getByLabel("Methods");
  await methods.fill("post");
  await db.query(
    "UPDATE webhook_forwards SET methods = '{DELETE}', updated_at = updated_at + 1 WHERE endpoint_id = $1",
    [endpoint.id],
  );
  await verification.getByLabel("Secret").fill(secret);
  await verification.getByRole("button", { name: "Save verification" }).click();
  await expect(forwarding.getByText("DELETE")).toBeVisible();
  await expect(methods).toHaveValue("post");
  const save = forwarding.getByRole("button", { name: "Save forwarding" });
  await save.click();
  await expect(forwarding.getByText("This has changed since the page loaded.")).toBeVisible();
  await expect(methods).toHaveValue("post");
  await page.reload();
  await expect(forwarding.getByText("DELETE")).toBeVisible();
  await expect(methods).toHaveValue("post");
  await save.click();
  await expect(forwarding.getByText("POST", { exact: true })).toBeVisible();
  await expect(methods).toHaveValue("POST");

  await endpoint.capture({ raw: "forged", headers: githubHeaders("Wrong", "forged") });
  await endpoint.capture({ raw: "genuine", headers: githubHeaders(secret, "genuine") });
  // Without a reload.
  await expect(verification.getByText("1 verified, 1 failed (signature mismatch)")).toBeVisible();
  const forwarded = "1 delivered, 1 skipped (not verified), 0 failed";
  await expect(forwarding.getByText(forwarded)).toBeVisible();
  await page.reload();
  expect(await page.content()).not.toContain(secret);
  const rows = page.locator("[data-index]");
  await expect(rows.nth(0)).toContainText("forwarded");
  await expect(rows.nth(1)).toContainText("not verified");

  await rows.nth(1).locator("[data-row]").click();
  const event = page.getByRole("article", { name: "POST request" });
  await expect(event.getByText("Not verified signature mismatch")).toBeVisible();
  await expect(event.getByText("skipped not verified")).toBeVisible();
  await rows.nth(0).locator("[data-row]").click();
  await event.getByRole("link", { name: /^iev_/ }).click();
  await expect(page).toHaveURL(new RegExp(`/inboxes/${inbox.id}\\?event=iev_`));

  await page.goto(`/webhooks/${endpoint.id}`);
  await forwarding.getByRole("button", { name: "Stop forwarding" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stop forwarding" }).click();
  await expect(forwarding.getByText("Events stay in this endpoint.")).toBeVisible();
});

test("Conditions are built in rows or as JSON, and a new inbox is made for the events that meet them", async ({
  page,
  own,
  endpoint,
}) => {
  await endpoint.capture();
  await page.goto(`/webhooks/${endpoint.id}`);
  const forwarding = page.getByRole("region", { name: "Forwarding" });
  const save = forwarding.getByRole("button", { name: "Save forwarding" });
  const names = forwarding.getByLabel("Header or JSON path");
  const json = forwarding.getByLabel("Match as JSON");
  const settings = async () => {
    const forward: object = await own.read(`webhooks/${endpoint.id}/forward`);
    return Object.fromEntries(
      Object.entries(forward).filter(([name]) => /^(inbox_id|url|match)$/.test(name)),
    );
  };
  await forwarding.getByText("Forward events").click();
  await forwarding.getByLabel("To").selectOption("A URL");
  await forwarding.getByLabel("Headers").fill('{"Authorization": "secret"}');
  await forwarding.getByRole("button", { name: "Add condition" }).click();
  await names.fill("X-GitHub-Event");
  await forwarding.getByLabel("Value").fill("push");
  // The list beside the form asks first. What was typed comes back, except for secrets.
  const question = page.waitForEvent("dialog");
  const leaving = page.locator("[data-index] [data-row]").click();
  await (await question).accept();
  await leaving;
  await expect(page.getByRole("article", { name: "POST request" })).toBeVisible();
  await page.goto(`/webhooks/${endpoint.id}`);
  await expect(names).toHaveValue("X-GitHub-Event");
  await expect(forwarding.getByLabel("Headers")).toHaveValue("");
  await forwarding.getByRole("button", { name: "Add condition" }).click();
  await names.nth(1).fill("x-github-event");
  await save.click();
  const complaint = (field: HTMLInputElement) => field.validationMessage;
  expect(await names.nth(1).evaluate(complaint)).toBe("Another condition has this name.");
  await names.nth(1).fill("$.size");
  await forwarding.getByLabel("Comparison").nth(1).selectOption("is the number");
  await forwarding.getByLabel("Value").nth(1).fill("3");
  await forwarding.getByText("As JSON").click();
  await expect(json).toHaveValue('{"X-GitHub-Event":"push","$.size":3}');
  await json.fill("not JSON");
  // What is refused leaves no inbox behind.
  await forwarding.getByLabel("To").selectOption("A new inbox");
  await forwarding.getByLabel("New inbox").fill("Pushes");
  await save.click();
  await expect(forwarding.getByText("Enter a JSON object")).toBeVisible();
  await json.fill('{"$.size": 3, "bad name": "x"}');
  await expect(names).toHaveCount(2);
  await save.click();
  await expect(forwarding.getByText("is neither a header name nor a JSON path")).toBeVisible();
  const made = async () => (await own.read("inboxes")).data.map(({ name }: Body) => name);
  expect(await made()).toEqual([]);
  await forwarding.getByRole("button", { name: "Remove the condition bad name" }).click();
  await save.click();
  await expect(forwarding.getByRole("link", { name: "Pushes" })).toBeVisible();
  await expect(forwarding.getByText("$.size is 3")).toBeVisible();
  const [inbox] = (await own.read("inboxes")).data;
  expect(await settings()).toEqual({ inbox_id: inbox?.id, url: null, match: { "$.size": 3 } });

  // The form stays open.
  await expect(names).toHaveValue("$.size");
  await forwarding.getByRole("button", { name: "Remove the condition $.size" }).click();
  await forwarding.getByLabel("To").selectOption("A URL");
  await forwarding.getByLabel("URL").fill("https://example.invalid/hook");
  await save.click();
  await expect.poll(settings).toEqual({
    inbox_id: null,
    url: "https://example.invalid/hook",
    match: null,
  });
});

test("Without scripts the conditions are JSON", async ({ openBrowser, own, endpoint, inbox }) => {
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/webhooks/${endpoint.id}`);
  const forwarding = page.getByRole("region", { name: "Forwarding" });
  await forwarding.getByText("Forward events").click();
  await forwarding.getByLabel("To").selectOption("Test");
  await expect(forwarding.getByLabel("URL")).toBeHidden();
  await forwarding.getByLabel("Match as JSON").fill("x");
  await forwarding.getByRole("button", { name: "Save forwarding" }).click();
  await expect(forwarding.getByText("Enter a JSON object")).toBeVisible();
  await forwarding.getByLabel("To").selectOption("Test");
  await forwarding.getByLabel("Match as JSON").fill('{"$.paid": true}');
  await forwarding.getByRole("button", { name: "Save forwarding" }).click();
  await expect(forwarding.getByText("$.paid is true")).toBeVisible();
  const forward = await own.read(`webhooks/${endpoint.id}/forward`);
  expect(forward).toMatchObject({ inbox_id: inbox.id, match: { "$.paid": true } });
});

test("One page follows an event from its capture to a worker's finished task, by itself", async ({
  page,
  api,
  key,
  own,
  endpoint,
  inbox,
}) => {
  const settings = { key, body: { inbox_id: inbox.id } };
  await api("PUT", `/api/webhooks/${endpoint.id}/forward`, settings);
  await openEvent(page, endpoint, { raw: "x" });
  await page.getByRole("link", { name: "Journey" }).press("Enter");
  const story = page.getByRole("article");
  await expect(story.getByText("Waiting for a worker")).toBeVisible();
  await expect(story.getByText("Updates automatically")).toBeVisible();

  const lease = await inbox.receiveOne({ consumer: "worker-1" });
  await expect(story.getByText("Leased by worker-1")).toBeVisible();
  const task = await own.create("tasks", { name: "What it asks for", external_id: lease.id });
  await inbox.ack(lease);
  await expect(story.getByText("Acknowledged by worker-1")).toBeVisible();
  await expect(story.getByText("to do")).toBeVisible();
  const result = { name: "What came of it", content: "# Done", external_id: lease.id };
  await own.create("artifacts", result);
  await api("POST", `/api/tasks/${task.id}/complete`, { key, body: {} });
  await expect(story.getByText("done", { exact: true })).toBeVisible();
  await expect(story.getByText("Nothing more will happen on its own")).toBeVisible();
  const link = story.getByRole("link", { name: "What it asks for" });
  await expect(link).toHaveAttribute("href", `/tasks/${task.id}`);
  await expect(story.getByRole("link", { name: "What came of it" })).toBeVisible();
});

test("A forwarded event is green only once its target has accepted it", async ({
  page,
  api,
  db,
  key,
  startTarget,
  endpoint,
}) => {
  let isRepaired = false;
  const target = await startTarget((response, { path }) => {
    const isBroken = path === "/broken" && !isRepaired;
    response.writeHead(path === "/refuses" ? 410 : isBroken ? 500 : 200).end();
  });
  const forwardTo = (path: string) =>
    api("PUT", `/api/webhooks/${endpoint.id}/forward`, { key, body: { url: target.url + path } });
  await page.goto(`/webhooks/${endpoint.id}`);
  const rows = page.locator("[data-index]");
  const outcomes = page.getByRole("region", { name: "Forwarding" });
  for (const [path, tone, words] of [
    ["/refuses", "failed", "failed 410"],
    ["/broken", "waiting", "retrying 500"],
    ["/works", "ok", "delivered 200"],
  ] as const) {
    await forwardTo(path);
    await endpoint.capture({ raw: path });
    // By itself, in the list that is open.
    await expect(async () => {
      await api("POST", "/api/messages/dispatch");
      await expect(rows.first().locator(`.text-${tone}`)).toHaveText(words, { timeout: 500 });
    }).toPass();
    // Others dispatch too: it is not tried again before it is looked at.
    await db.query(
      "UPDATE scheduled_messages SET due_at = due_at + 3600 WHERE webhook_endpoint_id = $1",
      [endpoint.id],
    );
  }
  await page.reload();
  await expect(outcomes).toContainText("1 delivered, 1 retrying (500), 1 failed (410)");
  await rows.nth(1).locator("[data-row]").click();
  const event = page.getByRole("article", { name: "POST request" });
  await expect(event).toContainText(/retrying 500 try 2 in/);
  isRepaired = true;
  const message = await event.getByRole("link", { name: /^msg_/ }).textContent();
  await api("POST", `/api/messages/${message}/retry`, { key });
  // By itself, in the event that is open.
  await expect(async () => {
    await api("POST", "/api/messages/dispatch");
    await expect(event).toContainText("delivered 200", { timeout: 500 });
  }).toPass();
  await page.goto("/webhooks");
  const failing = page.getByRole("row").filter({ hasText: "Orders" }).locator(".text-failed");
  await expect(failing).toHaveText(/^\d failed attempts$/);
});
