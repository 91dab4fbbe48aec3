import type { NavItem } from "@/app/(dashboard)/_frame/nav-items";
import { paletteGroups, paletteItems, serverQuery } from "@/app/(dashboard)/_frame/palette-items";
import { expect, test } from "../support/browser-fixtures";
import { signInWithKey } from "../support/pages";
import { rowsOf } from "../support/rows";

test("The palette opens the page of any pasted ID", async ({
  page,
  api,
  db,
  person,
  organization: { id: organizationId },
  baseUrl,
  own,
}) => {
  const make = async (kind: string, body: object) => (await own.create(kind, body)).id;
  const task = await make("tasks", { name: "A" });
  const endpoint = await make("webhooks", { name: "A" });
  const artifact = await make("artifacts", { name: "A", content: "# A" });
  const message = await make("messages", { url: "https://example.com/", delay_seconds: 9000 });
  const inbox = await make("inboxes", { name: "A" });
  const event = (await api("POST", `/api/catch/${endpoint}`, {})).body.event_id;
  const job = (await api("POST", `/api/inboxes/${inbox}/events`, {})).body.id;
  const subscription = await make("subscriptions", { inbox_id: inbox });
  const attempt = `att_${message.slice(4)}000001`;
  await db.query(
    "INSERT INTO message_attempts (id, message_id, attempt, started_at) VALUES ($1, $2, 1, unix_now())",
    [attempt, message],
  );
  const where = { organization_id: organizationId };
  const apiKey = await rowsOf(db).apiKey.findFirstOrThrow({ where });
  const pasted: [string, string][] = [
    [task, `/tasks/${task}`],
    [`${baseUrl}/api/tasks/${task}?x=1`, `/tasks/${task}`],
    [artifact, `/artifacts/${artifact}`],
    [message, `/messages/${message}`],
    [inbox, `/inboxes/${inbox}`],
    [endpoint, `/webhooks/${endpoint}`],
    [endpoint.replace("wh_", "whe_"), `/webhooks/${endpoint}`],
    [
      `${baseUrl}/api/webhooks/${endpoint}/events/${event}`,
      `/webhooks/${endpoint}/events/${event}`,
    ],
    [event, `/webhooks/${endpoint}/events/${event}`],
    [job, `/inboxes/${inbox}?event=${job}`],
    [attempt, `/messages/${message}`],
    [apiKey.id, `/keys#${apiKey.id}`],
    [person.id, `/settings#${person.id}`],
    [organizationId, `/settings#${organizationId}`],
    [subscription, `/settings?tab=developers#${subscription}`],
  ];
  for (const [words, path] of pasted) {
    const query = serverQuery(words);
    const response = query && (await page.request.get(`/dashboard/find?${query}`));
    const items: NavItem[] = response ? await response.json() : paletteItems(words);
    const opened = await page.request.get(items[0]?.href ?? "/nowhere");
    expect({ words, url: opened.url() }).toEqual({ words, url: baseUrl + path });
    expect(opened.status(), path).toBe(200);
    const shown = (await opened.text()).replaceAll(/<script.*?<\/script>/gs, "");
    expect(shown, path).not.toContain("It may have been deleted");
  }
  await page.goto("/dashboard");
  for (const [words, path] of [pasted[1], pasted[9]] as typeof pasted) {
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Page, ID or name" }).fill(words);
    await expect(page.getByRole("option").first()).toContainText(/^(Open|Show) the/);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("main")).not.toContainText("It may have been deleted");
  }
});

test("A page that begins with the words is first, before and after the server answers", () => {
  const found: NavItem[] = [{ name: "Task force", href: "/tasks/tsk_1", icon: "tasks" }];
  const names = (words: string) => paletteGroups(words, [], found).map(({ value }) => value);
  expect(names("task")).toEqual(["Pages", "Actions", "Found"]);
  expect(names("sks")[0]).toBe("Found");
});

test("The palette finds the organization's recent resources by name", async ({
  page,
  api,
  otherOrganization,
  own,
}) => {
  const name = `100% "Ünïque" <b>_${Date.now()}`;
  const inbox = await own.create("inboxes", { name });
  await api("POST", "/api/tasks", { key: otherOrganization.key, body: { name } });
  await page.goto("/settings");
  await page.getByRole("button", { name: "Go to…" }).click();
  const input = page.getByRole("combobox", { name: "Page, ID or name" });
  await input.fill(name.toUpperCase());
  await expect(page.getByRole("option")).toHaveText([name]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/inboxes/${inbox.id}`);
  await page.keyboard.press("ControlOrMeta+k");
  await input.fill("no such name anywhere");
  await expect(page.getByText("Nothing found.")).toBeVisible();
  await page.route("**/dashboard/find?*", (route) => route.fulfill({ status: 429 }));
  await input.fill("no such name, and no answer");
  await expect(page.getByText("The search failed. Try again.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(input).toHaveCount(0);
});

test("Palette searches are for members only", async ({
  context,
  person: _person,
  api,
  request,
  otherOrganization,
}) => {
  const { body: inbox } = await api("POST", "/api/inboxes", {
    key: otherOrganization.key,
    body: { name: "Secret plans" },
  });
  const { body: job } = await api("POST", `/api/inboxes/${inbox.id}/events`, {});
  const ask = async (query: string) => context.request.get(`/dashboard/find?${query}`);
  for (const query of [
    "name=Secret",
    `id=${job.id}`,
    "name=%00",
    "id=wev_%00",
    "id=",
    "name=%25",
  ]) {
    const response = await ask(query);
    expect({ query, status: response.status(), found: await response.json() }).toEqual({
      query,
      status: 200,
      found: [],
    });
  }
  expect((await request.get("/dashboard/find?name=Secret")).status()).toBe(401);
  expect((await request.get("/dashboard/live")).status()).toBe(401);
});

test("The palette offers a key that only reads nothing that changes something, and new keys to people alone", async ({
  visitor,
  baseUrl,
  organization,
}) => {
  const names = (may: "all" | "write") => paletteItems("new", may).map(({ name }) => name);
  expect(names("all")).toContain("New key");
  expect(names("write")).toContain("New task");
  expect(names("write")).not.toContain("New key");
  await signInWithKey(visitor, baseUrl, organization.readKey);
  await visitor.goto("/tasks");
  await visitor.keyboard.press("ControlOrMeta+k");
  await expect(visitor.getByRole("group", { name: "Pages" })).toBeVisible();
  await expect(visitor.getByRole("group", { name: "Actions" })).toHaveCount(0);
});
