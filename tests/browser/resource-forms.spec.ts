import type { Page } from "playwright/test";
import { kinds } from "@/lib/resources/kinds";
import { expect, test } from "../support/browser-fixtures";
import { expectStatus } from "../support/expectations";
import { openMenu, submitTwice } from "../support/pages";

/** What the forms of every kind of resource guarantee, from an empty list to a deletion. */

interface Life {
  /** Of the form; the button that deletes is named alike. */
  creates: string;
  /** What is typed or chosen, by label. */
  fields: Record<string, string>;
  made: Record<string, unknown>;
  /** What its page does with one button. */
  acts?: [button: string, becomes: Record<string, unknown>, confirm?: string];
}

/** The label of an option, longer than an ID may be. */
const LONG = `A long ${"answer ".repeat(15)}with the number`;

const LIVES: Record<string, Life> = {
  artifacts: {
    creates: "Create artifact",
    fields: { Name: "Report", Content: "# Findings" },
    made: { name: "Report", content: "# Findings", format: "markdown" },
  },
  inboxes: {
    creates: "Create inbox",
    fields: { Name: "Jobs", "Maximum events": "20" },
    made: { name: "Jobs", max_events: 20 },
  },
  messages: {
    creates: "Schedule message",
    fields: {
      URL: "https://example.com/later",
      "Send in": "3",
      Unit: "h",
      Headers: "content-type: text/plain\nx-one: 1",
      Body: "hello",
    },
    made: {
      method: "POST",
      url: "https://example.com/later",
      headers: { "content-type": "text/plain", "x-one": "1" },
      body: "hello",
    },
    acts: ["Cancel sending", { status: "canceled" }],
  },
  questions: {
    creates: "Ask",
    fields: {
      Prompt: "Which one?",
      "Answered with": "choice",
      Options: `Red\n${LONG} 1\n${LONG} 2`,
    },
    made: {
      prompt: "Which one?",
      kind: "choice",
      options: [
        { id: "option-1", label: "Red" },
        { id: "option-2", label: `${LONG} 1` },
        { id: "option-3", label: `${LONG} 2` },
      ],
    },
    acts: ["Withdraw", { state: "withdrawn" }, "Withdraw question"],
  },
  schedules: {
    creates: "Create schedule",
    fields: { Name: "Stock", "Or every": "3600", "Task name": "Count" },
    made: { name: "Stock", every_seconds: 3600, target: { task: { name: "Count" } } },
  },
  tasks: {
    creates: "Create task",
    fields: { Name: "Order paper", Labels: "office, urgent", Due: "2031-05-06T07:08" },
    made: {
      name: "Order paper",
      labels: ["office", "urgent"],
      due_at: Date.UTC(2031, 4, 6, 7, 8) / 1000,
      priority: "low",
    },
    acts: ["Done", { labels: ["office", "urgent", "done"] }],
  },
  webhooks: {
    creates: "Create endpoint",
    fields: { Name: "Orders", "Events kept": "7" },
    made: { name: "Orders", max_events: 7 },
  },
};

test("A person creates, acts on and deletes each kind of resource, and the API agrees: a form submitted twice on a slow network is sent once, and an empty list shows a command that works", async ({
  page,
  api,
  key,
  own,
}) => {
  expect(Object.keys(LIVES)).toEqual(kinds.map(({ name }) => name).sort());
  for (const [kind, { creates, fields, made, acts }] of Object.entries(LIVES)) {
    await page.goto(`/${kind}?new=1`);
    for (const [label, value] of Object.entries(fields)) await enter(page, label, value);
    const posts = await submitTwice(page, creates);
    await expect(page).toHaveURL(new RegExp(`/${kind}/[a-z]+_\\w+$`));
    await expect(page.getByRole("button", { name: creates, exact: true })).toHaveCount(0);
    await page.unrouteAll();
    expect(posts, kind).toHaveLength(1);
    expect((await own.read(kind)).data).toHaveLength(1);
    const path = new URL(page.url()).pathname;
    const read = async () => (await api("GET", `/api${path}`, { key })).body;
    expect(await read()).toMatchObject(made);

    if (acts) {
      const [button, becomes, confirm] = acts;
      const act = page.getByRole("button", { name: button, exact: true });
      const isInMenu = !(await act.isVisible());
      if (isInMenu) await openMenu(page);
      await act.click();
      if (confirm) await page.getByRole("button", { name: confirm }).click();
      await expect.poll(read).toMatchObject(becomes);
      // The page that shows the change has its menu closed.
      await expect(page.locator('form[aria-busy="true"]')).toHaveCount(0);
      if (isInMenu) await expect(act).toBeHidden();
    }
    const remove = page.getByRole("button", { name: "Delete", exact: true });
    if (!(await remove.isVisible())) await openMenu(page);
    await remove.click();
    const dialog = page.getByRole("alertdialog");
    const word = dialog.getByRole("textbox");
    if (await word.isVisible()) await word.fill((await read()).name);
    await dialog.getByRole("button", { name: /^Delete / }).click();
    await expect(page).toHaveURL(`/${kind}`);
    expect((await api("GET", `/api${path}`, { key })).status).toBe(404);

    await expect(page.getByRole("heading", { name: /^No .* yet$/ })).toBeVisible();
    const command = page.getByRole("button", { name: "Copy command" });
    const sent = /-d '(.*)'$/.exec((await command.getAttribute("data-copy")) ?? "")?.[1];
    expectStatus(await api("POST", `/api/${kind}`, { key, body: JSON.parse(sent ?? "") }), 201);
  }
});

/** What a form cannot represent, what somebody else changes, and a field that a person changes. */
const EDITS: [kind: string, strange: object, theirs: object, label: string, change: object][] = [
  [
    "tasks",
    {
      name: "Ours",
      description: "a\r\nb",
      labels: ["with, comma", "two\nlines", "in-progress"],
      due_at: 253_402_300_800_000,
    },
    { name: "Theirs" },
    "Priority",
    { priority: "critical" },
  ],
  ["webhooks", { name: "two\nlines" }, { description: "Theirs" }, "Events kept", { max_events: 7 }],
  [
    "inboxes",
    { name: "two\nlines" },
    { description: "Theirs" },
    "Maximum events",
    { max_events: 7 },
  ],
  [
    "artifacts",
    { name: "Ours", content: "a\r\nb\rc" },
    { name: "Theirs" },
    "Format",
    { format: "html" },
  ],
  [
    "questions",
    { prompt: "Ours?", kind: "text" },
    { prompt: "Theirs?" },
    "Context",
    { context: "Both are **cheap**." },
  ],
];

test("An edit keeps what a form cannot represent, and a conflict is refused before it is saved", async ({
  page,
  own,
}) => {
  for (const [kind, strange, theirs, label, change] of EDITS) {
    const { id } = await own.create(kind, strange);
    const path = `${kind}/${id}`;
    await page.goto(`/${path}?edit=1`);
    await own.update(path, theirs);
    const before = await own.read(path);
    await enter(page, label, String(Object.values(change)[0]));
    await save(page);
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(/Someone else has changed/);
    expect(await own.read(path)).toEqual(before);
    await expect(page.getByRole("main")).toContainText(" is now ");
    await save(page);
    await expect(page).toHaveURL(`/${path}`);
    expect(await own.read(path)).toMatchObject({ ...strange, ...theirs, ...change });
  }
});

test("An edit that conflicts is refused with its input kept, and saves what was seen", async ({
  page,
  own,
}) => {
  const { id } = await own.create("artifacts", { name: "Ours", content: "# Hello" });
  const nameOf = async () => (await own.read(`artifacts/${id}`)).name;
  await page.goto(`/artifacts/${id}?edit=1`);
  await own.update(`artifacts/${id}`, { name: "Theirs" });
  await enter(page, "Name", "Mine");
  await save(page);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(/Someone else has changed/);
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Mine");
  expect(await nameOf()).toBe("Theirs");
  await expect(page.getByRole("main")).toContainText("Name is now Theirs");
  await page.getByRole("button", { name: "Take theirs" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Theirs");
  await enter(page, "Name", "Mine");
  const theirs = page.getByRole("link", { name: "See theirs in a new tab" });
  await expect(theirs).toHaveAttribute("href", `/artifacts/${id}?view=source`);
  await save(page);
  await expect(page).toHaveURL(`/artifacts/${id}`);
  expect(await nameOf()).toBe("Mine");
});

async function enter(page: Page, label: string, value: string) {
  const control = page.getByLabel(label, { exact: true });
  const isSelect = await control.evaluate((element) => element.localName === "select");
  await (isSelect ? control.selectOption(value) : control.fill(value));
}

async function save(page: Page) {
  await page.getByRole("button", { name: "Save changes" }).click();
}
