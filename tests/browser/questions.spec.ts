import { expect, test } from "../support/browser-fixtures";

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

test("Without JavaScript the pasted link opens the question, and one tap answers it", async ({
  openBrowser,
  api,
  key,
}) => {
  const options = [
    { id: "red", label: "Red" },
    { id: "blue", label: "Blue" },
  ];
  const body = { prompt: "Which colour?", kind: "choice", options };
  const { body: question } = await api("POST", "/api/questions", { key, body });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(question.answer_url);
  await page.getByLabel("The link that you were given").fill(question.answer_url);
  await page.getByRole("button", { name: "Show the question" }).click();
  await page.getByRole("button", { name: "Blue" }).click();
  await expect(page.getByText(/^Answered by /)).toContainText("Blue");
  expect((await api("GET", `/api/questions/${question.id}`, { key })).body.answer).toBe("blue");
});

test("A member answers in the dashboard, and the question names them", async ({
  page,
  api,
  key,
}) => {
  const body = { prompt: "What shall we call it?", kind: "text" };
  const { body: question } = await api("POST", "/api/questions", { key, body });
  await page.goto(`/questions/${question.id}`);
  await page.getByLabel("Your answer").fill("Ada");
  await page.getByRole("button", { name: "Send the answer" }).click();
  await expect(page.getByText(/Answered by \S+@\S+/)).toContainText("Ada");
  const read = await api("GET", `/api/questions/${question.id}`, { key });
  expect(read.body).toMatchObject({ answer: "Ada", answered_by: expect.stringMatching(/^usr_/) });
});

test("The overview shows first what waits for a person, who answers there", async ({
  page,
  api,
  key,
}) => {
  const ask = (body: object) => api("POST", "/api/questions", { key, body });
  const { body: short } = await ask({ prompt: "Deploy version 2?", kind: "approve" });
  await ask({ prompt: "Deploy?", kind: "approve", context: "Read this first." });
  await page.goto("/dashboard");
  const waiting = page.getByRole("region", { name: "Waiting for a person" });
  await expect(waiting.getByRole("listitem")).toHaveCount(2);
  await expect(waiting.getByRole("button", { name: "Approve" })).toHaveCount(1);
  await waiting.getByRole("button", { name: /^Approve.*Deploy version 2/ }).click();
  await expect(waiting.getByRole("listitem")).toHaveCount(1);
  expect((await api("GET", `/api/questions/${short.id}`, { key })).body.answer).toBe("approve");
});
