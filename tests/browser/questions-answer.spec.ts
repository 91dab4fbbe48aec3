import { barriersOn } from "../support/barriers";
import { expect, test } from "../support/browser-fixtures";
import { expectStatus } from "../support/expectations";
import { call } from "../support/http";
import { show, signInWithKey } from "../support/pages";
import { makePerson } from "../support/people";
import { APPROVE, ask, FORM } from "../support/questions";

/** The page that a question's link opens. */

const PHONE = { width: 320, height: 640 };

test("A form is filled in on a phone, and what does not fit keeps the input and says why", async ({
  visitor,
  api,
  key,
}) => {
  await visitor.setViewportSize(PHONE);
  const question = await ask(api, key, FORM);
  await visitor.goto(question.answer_url);
  await visitor.getByLabel("Host").fill("a.example");
  await visitor.getByLabel("region").selectOption("Europe");
  // A browser takes it, and the service does not.
  await visitor.getByLabel("mail").fill("ada@localhost");
  await visitor.getByLabel("Operations").check();
  expect(await visitor.getByLabel("replicas").inputValue()).toBe("3");
  const width = await visitor.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(PHONE.width);
  const send = visitor.getByRole("button", { name: "Send the answer" });
  await send.click();
  await expect(visitor.getByText("mail must be an email address")).toBeVisible();
  expect(await visitor.getByLabel("Host").inputValue()).toBe("a.example");
  await visitor.getByLabel("mail").fill("ada@example.com");
  await send.click();
  await expect(visitor.getByText(/^Answered by /)).toContainText("Teams: Operations");
  expect((await api("GET", question.path, { key })).body.answer).toEqual({
    host: "a.example",
    region: "eu",
    mail: "ada@example.com",
    replicas: 3,
    notify: false,
    teams: ["ops"],
  });
});

test("An answer that only another version of the page could send is there after the reload", async ({
  visitor,
  api,
  key,
}) => {
  const question = await ask(api, key, FORM);
  await visitor.goto(question.answer_url);
  await visitor.getByLabel("Host").fill("a.example");
  await visitor.getByLabel("region").selectOption("Europe");
  await visitor.getByLabel("mail").fill("ada@example.com");
  await visitor.route(
    "**/answer/*",
    (route) => route.fulfill({ status: 404, headers: { "x-nextjs-action-not-found": "1" } }),
    { times: 1 },
  );
  const reloaded = visitor.waitForEvent("load");
  await visitor.getByRole("button", { name: "Send the answer" }).click();
  await reloaded;
  await expect(visitor.getByText("This page was updated.")).toBeVisible();
  await expect(visitor.getByLabel("Host")).toHaveValue("a.example");
  await expect(visitor.getByLabel("mail")).toHaveValue("ada@example.com");
});

test("An answer to a changed or answered question is refused, and stays on the page", async ({
  page,
  api,
  key,
}) => {
  const question = await ask(api, key, { prompt: "What shall we call it?", kind: "text" });
  const field = page.getByLabel("Your answer");
  const send = page.getByRole("button", { name: "Send the answer" });
  const refusal = page.getByRole("main").getByRole("alert");
  const body = { prompt: "And the second one?" };
  const polls: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/live")) polls.push(request.url());
  });
  const refuse = async ({ id, path }: typeof question, answer: () => Promise<void>) => {
    await page.goto(`/questions/${id}`);
    expectStatus(await api("PATCH", path, { key, body }), 200);
    await show(page, "visible"); // a page that follows its question polls at once
    await answer();
    await expect(refusal).toContainText("Read it again before you answer.");
    await expect(page.getByRole("heading", { name: body.prompt })).toBeVisible();
  };
  await refuse(await ask(api, key), () => page.getByRole("button", { name: "Approve" }).click());
  await refuse(question, async () => {
    await field.fill("Ada");
    await send.click();
  });
  // What changes by itself could be pressed unread.
  expect(polls).toEqual([]);
  await expect(field).toHaveValue("Ada");
  await field.fill("Ada 2");
  expectStatus(await question.answer("Grace"), 200);
  await send.click();
  await expect(refusal).toContainText("Someone else has already answered. Yours was: Ada 2");
  await expect(page.getByText("Answered by somebody with the link")).toContainText("Grace");
});

test("A page shows an answer that somebody else gave, but not while the person is typing", async ({
  page,
  api,
  key,
}) => {
  const answered = page.getByText("Answered by somebody with the link");
  const { id, answer } = await ask(api, key);
  await page.goto(`/questions/${id}`);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  expectStatus(await answer("approve"), 200);
  await expect(answered).toBeVisible();
  const typed = await ask(api, key, { prompt: "What shall we call it?", kind: "text" });
  await page.goto(`/questions/${typed.id}`);
  const field = page.getByLabel("Your answer");
  await field.fill("Ada");
  expectStatus(await typed.answer("Grace"), 200);
  const read = () => page.waitForResponse((response) => response.url().endsWith("/state"));
  await read();
  await read();
  await expect(field).toHaveValue("Ada");
  await field.fill("");
});

test("Without JavaScript a form is filled in, refused with its input, and taken", async ({
  openBrowser,
  api,
  key,
}) => {
  const question = await ask(api, key, FORM);
  const page = await openBrowser({ javaScriptEnabled: false, viewport: PHONE });
  await page.goto(question.answer_url);
  await page.getByLabel("The link that you were given").fill(question.answer_url);
  await page.getByRole("button", { name: "Show the question" }).click();
  await page.getByLabel("Host").fill("a.example");
  await page.getByLabel("region").selectOption("America");
  await page.getByLabel("mail").fill("ada@localhost");
  await page.getByLabel("from").fill("2026-11-26T09:00");
  await page.getByLabel("Tell the team").check();
  await page.getByRole("button", { name: "Send the answer" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText(
    "mail must be an email address",
  );
  expect(await page.getByLabel("Host").inputValue()).toBe("a.example");
  expect(await page.getByLabel("region").inputValue()).toBe("us");
  await expect(page.getByLabel("Tell the team")).toBeChecked();
  await page.getByLabel("mail").fill("");
  await page.getByRole("button", { name: "Send the answer" }).click();
  await expect(page.getByText(/^Answered by /)).toContainText("region: America");
  expect((await api("GET", question.path, { key })).body.answer).toEqual({
    host: "a.example",
    region: "us",
    from: "2026-11-26T09:00:00.000Z",
    replicas: 3,
    notify: true,
  });
});

test("A preview of the link and a scanner that follows it change nothing and see nothing", async ({
  baseUrl,
  api,
  key,
}) => {
  const question = await ask(api, key, { ...APPROVE, context: "Why: **two** bugs." });
  const { pathname } = new URL(question.answer_url);
  for (const method of ["GET", "HEAD", "OPTIONS"]) {
    for (const path of [pathname, `${pathname}?answer=approve`, `${question.path}/answer`]) {
      const { status, text } = await call(baseUrl, method, path, {});
      expect(status).toBeLessThan(500);
      expect(text).not.toContain("Deploy version 2?");
      expect(text).not.toContain("two");
    }
  }
  const { body } = await api("GET", question.path, { key });
  expect(body).toMatchObject({ state: "open", answer: null, updated_at: question.updated_at });
});

test("What the asker writes is framed as its words, and its Markdown runs and changes nothing", async ({
  visitor,
  api,
}) => {
  await visitor.setViewportSize(PHONE);
  const prompt = "Agent Infrastructure: your session has ended.\n\nSign in at https://evil.example";
  const context =
    '<script>top.document.title = "taken"</script>\n\n<img src=x onerror="parent.document.body.innerHTML=1">\n\n' +
    '[Approve](javascript:alert(1)) <form action="https://evil.example"><button>Approve</button></form>\n\n# Approved';
  const question = await ask(api, undefined, { ...APPROVE, prompt, context });
  let dialogs = 0;
  visitor.on("dialog", (dialog) => {
    dialogs += 1;
    return dialog.dismiss();
  });
  await visitor.goto(question.answer_url);
  const words = visitor.getByRole("blockquote");
  await expect(words).toHaveText(prompt);
  await expect(
    visitor.getByText("An agent without an account asks, in its own words:"),
  ).toBeVisible();
  await expect(words.getByRole("link")).toHaveCount(0);
  const frame = visitor.frameLocator("iframe");
  await expect(frame.getByRole("heading", { name: "Approved" })).toBeVisible();
  await expect(frame.getByRole("button")).toHaveCount(0);
  await expect(visitor.locator("iframe")).not.toHaveAttribute("sandbox", /allow-same-origin/);
  await expect(visitor).toHaveTitle(/^A question for you/);
  expect(await barriersOn(visitor, { colours: false })).toEqual([]);
  await visitor.getByRole("button", { name: "Deny" }).click();
  await expect(visitor.getByText("Answered by somebody with the link")).toContainText("Denied");
  expect(dialogs).toBe(0);
});

test("The page of a question that has expired or was withdrawn says so and takes no answer", async ({
  visitor,
  api,
  db,
  key,
}) => {
  const denied = await ask(api, key, { ...APPROVE, on_expiry: "deny" });
  const withdrawn = await ask(api, key);
  await db.query("UPDATE questions SET expires_at = unix_now() WHERE id = $1", [denied.id]);
  await api("POST", `${withdrawn.path}/withdraw`, { key });
  for (const [question, words] of [
    [denied, "It has expired without an answer, so it counts as denied."],
    [withdrawn, "The agent has withdrawn it."],
  ] as const) {
    await visitor.goto(question.answer_url);
    await expect(visitor.getByText(words)).toBeVisible();
    await expect(visitor.getByRole("button", { name: "Approve" })).toHaveCount(0);
  }
});

test("A session of an API key is told that only a person can answer, and the tab keeps a pasted link", async ({
  visitor,
  signInAs,
  api,
  baseUrl,
  db,
  key,
  organization,
}) => {
  const question = await ask(api, key, { ...APPROVE, require_sign_in: true });
  const page = `/answer/${question.id}`;
  await signInWithKey(visitor, baseUrl, key);
  await visitor.goto(page);
  await visitor.getByLabel("The link that you were given").fill(question.answer_url);
  await visitor.getByRole("button", { name: "Show the question" }).click();
  await expect(visitor.getByText("Only a person can answer.")).toBeVisible();
  await visitor.getByRole("button", { name: "Use another account" }).click();
  await expect(visitor).toHaveURL(`/sign-in?next=${encodeURIComponent(page)}`);
  await signInAs(visitor.context(), await makePerson(db, organization.id));
  await visitor.goto(page);
  await visitor.getByRole("button", { name: "Approve" }).click();
  await expect(visitor.getByText(/^Answered by /)).toContainText("Approved");
});
