import { finishClient } from "../support/blockers";
import { expect, test } from "../support/browser-fixtures";
import { expectStatus } from "../support/expectations";
import { leaseClient } from "../support/leases";
import { makePerson } from "../support/people";
import { APPROVE, ask, COLOURS } from "../support/questions";

test("A person without an account answers on a phone with one tap, and the page then says what and by whom", async ({
  visitor,
  api,
  key,
}) => {
  await visitor.setViewportSize({ width: 320, height: 640 });
  const body = { prompt: "Deploy version 2?", kind: "approve", context: "It fixes **two** bugs." };
  const { body: question } = await api("POST", "/api/questions", { key, body });
  await visitor.goto(question.answer_url);
  await expect(visitor.getByText("Deploy version 2?")).toBeVisible();
  const context = visitor.frameLocator("iframe").getByText("two", { exact: true });
  await expect(context).toBeVisible();
  expect((await api("GET", `/api/questions/${question.id}`, { key })).body.state).toBe("open");
  const width = await visitor.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(320);
  await visitor.getByRole("button", { name: "Approve" }).click();
  await expect(visitor.getByText("Answered by somebody with the link")).toContainText("Approved");
  const read = await api("GET", `/api/questions/${question.id}`, { key });
  expect(read.body).toMatchObject({ state: "answered", answer: "approve", answered_by: "link" });
  await visitor.reload();
  await expect(visitor.getByRole("button", { name: "Approve" })).toBeHidden();
});

test("Options that were typed for a choice are not sent with another kind of question", async ({
  page,
  own,
}) => {
  await page.goto("/questions?new=1");
  await page.getByLabel("Prompt").fill("What shall we call it?");
  await page.getByLabel("Answered with").selectOption("choice");
  await page.getByLabel("Options").fill("Ada");
  await page.getByLabel("Answered with").selectOption("text");
  await expect(page.getByLabel("Options")).toBeHidden();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await expect(page.getByRole("heading", { name: "What shall we call it?" })).toBeVisible();
  const { data } = (await own.read("questions")) as unknown as { data: object[] };
  expect(data).toMatchObject([{ kind: "text" }]);
});

test("A member's answer in the dashboard names them", async ({ page, api, key }) => {
  const question = await ask(api, key, { prompt: "What shall we call it?", kind: "text" });
  await page.goto(`/questions/${question.id}`);
  await page.getByLabel("Your answer").fill("Ada");
  await page.getByRole("button", { name: "Send the answer" }).click();
  await expect(page.getByText(/Answered by \S+@\S+/)).toContainText("Ada");
  const read = await api("GET", question.path, { key });
  expect(read.body).toMatchObject({ answer: "Ada", answered_by: expect.stringMatching(/^usr_/) });
});

test("A form that was refused and then interrupted by a sign-in has all that was filled in", async ({
  visitor,
  signInAs,
  api,
  db,
  key,
  organization,
}) => {
  const items = { anyOf: ["one", "two", "three"].map((name) => ({ const: name, title: name })) };
  const form = {
    type: "object",
    properties: { teams: { type: "array", title: "Teams", minItems: 2, items } },
    required: ["teams"],
  };
  const body = { prompt: "Who?", kind: "form", form, require_sign_in: true };
  const { body: question } = await api("POST", "/api/questions", { key, body });
  const person = await makePerson(db, organization.id);
  await signInAs(visitor.context(), person);
  await visitor.goto(question.answer_url);
  const send = visitor.getByRole("button", { name: "Send the answer" });
  await visitor.getByLabel("one").check();
  await send.click();
  await expect(visitor.getByRole("main").getByRole("alert")).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByLabel("one")).toBeChecked();
  await send.click();
  await expect(visitor.getByRole("main").getByRole("alert")).toBeVisible();
  await visitor.getByLabel("two").check();
  await visitor.context().clearCookies();
  await send.click();
  const link = visitor.getByRole("link", { name: "Sign in to answer" });
  await expect(link).toHaveAttribute("href", `/sign-in?next=/answer/${question.id}`);
  await signInAs(visitor.context(), person);
  await visitor.goto(`/answer/${question.id}`);
  for (const name of ["one", "two"]) await expect(visitor.getByLabel(name)).toBeChecked();
  await send.click();
  await expect(visitor.getByText(/^Answered by /)).toContainText("Teams: one, two");
});

test("The overview shows first what waits for a person, who answers there, and how much more does", async ({
  page,
  api,
  key,
}) => {
  const short = await ask(api, key);
  await ask(api, key, { prompt: "Deploy?", kind: "approve", context: "Read this first." });
  const choice = await ask(api, key, COLOURS);
  await page.goto("/dashboard");
  const waiting = page.getByRole("region", { name: "Waiting for a person" });
  await expect(waiting.getByRole("listitem")).toHaveCount(2);
  const more = waiting.getByRole("link", { name: "and 1 more" });
  await expect(more).toHaveAttribute("href", "/questions?state=open");
  await expect(waiting.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await waiting.getByRole("button", { name: /^Blue.*Which colour/ }).click();
  await expect(waiting.getByRole("button", { name: "Approve" })).toHaveCount(1);
  await expect(waiting.getByRole("listitem")).toHaveCount(2);
  await expect(page.getByLabel("Notifications")).toContainText("Answered: Blue");
  expect((await api("GET", choice.path, { key })).body.answer).toBe("blue");
  await waiting.getByRole("button", { name: /^Approve.*Deploy version 2/ }).click();
  await expect(waiting.getByRole("listitem")).toHaveCount(1);
  expect((await api("GET", `/api/questions/${short.id}`, { key })).body.answer).toBe("approve");
  // Its page names the task.
  const { body: task } = await api("POST", "/api/tasks", { key, body: { name: "Deploy" } });
  await ask(api, key, { ...APPROVE, task_id: task.id });
  await page.reload();
  await expect(waiting.getByRole("listitem")).toHaveCount(2);
  await expect(waiting.getByRole("button")).toHaveCount(0);
  for (let asked = 0; asked < 5; asked += 1) {
    await ask(api, key, { ...APPROVE, prompt: "A long question ".repeat(20) });
  }
  await page.reload();
  await expect(waiting.getByRole("link", { name: "and 5 more" })).toBeVisible();
  await expect(waiting.getByRole("listitem").first()).toContainText(/ long question A long…/);
});

test("The list of questions shows those in one state, stays current, and keeps the state while one is open", async ({
  page,
  api,
  key,
}) => {
  const first = await ask(api, key);
  expectStatus(await first.answer("deny"), 200);
  const open = await ask(api, key, COLOURS);
  const rows = page.locator("[data-row]");
  await page.goto("/questions");
  await expect(rows).toHaveCount(2);
  const states = page.getByRole("navigation", { name: "State" });
  await states.getByRole("link", { name: "Waiting" }).click();
  await expect(rows).toHaveText([/Which colour/]);
  await rows.click();
  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("link", { name: "Close, back to the list" }).click();
  await expect(page).toHaveURL("/questions?state=open");
  expectStatus(await open.answer("blue"), 200);
  await expect(page.getByText("No matching questions.")).toBeVisible();
  await states.getByRole("link", { name: "Answered" }).click();
  await expect(rows).toHaveCount(2);
});

test("The navigation counts what waits for a person, and follows each answer and question", async ({
  page,
  api,
  key,
}) => {
  const link = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", {
    name: /^Questions/,
  });
  await page.goto("/tasks");
  await expect(link).toHaveAccessibleName("Questions");
  const first = await ask(api, key);
  await expect(link).toHaveAccessibleName("Questions 1 waiting");
  await ask(api, key);
  await expect(link).toHaveAccessibleName("Questions 2 waiting");
  await page.reload();
  await expect(link).toHaveAccessibleName("Questions 2 waiting");
  expectStatus(await first.answer("deny"), 200);
  await expect(link).toHaveAccessibleName("Questions 1 waiting");
});

test("An agent without a key asks, its task waits for a yes from a phone, a worker finishes it, and one link claims all", async ({
  page,
  context,
  api,
  key,
}) => {
  const headers: Record<string, string> = {};
  const make = async (kind: string, body: object) => {
    const response = await api("POST", `/api/${kind}`, { body, headers });
    expectStatus(response, 201);
    headers["claim-with"] ??= response.body.claim_token;
    return response.body;
  };
  const task = await make("tasks", { name: "Deploy version 2" });
  const report = await make("artifacts", { name: "Test report", content: "All **200** pass." });
  const question = await make("questions", {
    prompt: "Deploy version 2?",
    kind: "approve",
    task_id: task.id,
    artifact_id: report.id,
  });
  await finishClient(api).block(task.id, question.id);

  await page.goto(task.claim_link);
  await page.getByRole("button", { name: "Claim all 3" }).click();
  const claimed = page.getByRole("heading", { name: "Claimed: this task and 2 more are yours" });
  await expect(claimed).toBeVisible();
  for (const kind of ["tasks", "artifacts", "questions"]) {
    const { body } = await api("GET", `/api/${kind}`, { key });
    expect(body.data).toHaveLength(1);
  }
  const { next } = leaseClient(api, key);
  expect((await next()).task).toBeNull();

  const visitor = await context.newPage();
  await visitor.setViewportSize({ width: 320, height: 640 });
  await visitor.goto(question.answer_url);
  await expect(visitor.getByText("About the task Deploy version 2")).toBeVisible();
  const shown = visitor.frameLocator("iframe").getByText("200", { exact: true });
  await expect(shown).toBeVisible();
  const waiting = next({ holder: "worker", wait_seconds: 20 });
  await visitor.getByRole("button", { name: "Approve" }).click();
  await expect(visitor.getByText(/^Answered by /)).toContainText("Approved");

  const { task: leased, lease } = await waiting;
  expect(leased?.id).toBe(task.id);
  const done = await finishClient(api, key).complete(task.id, { lease_id: lease?.lease_id });
  expectStatus(done, 200);
  expect(done.body.labels).toEqual(["done"]);
});
