import { expect, test } from "../support/browser-fixtures";
import { formOf, textOf } from "../support/forms";
import { type Api, call } from "../support/http";
import { cookieOf, makePerson } from "../support/people";

test("A person claims in the page what an agent created without a key", async ({
  page,
  api,
  organization,
  own,
}) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "Made by an agent" } });
  await page.goto(task.claim_link);
  await expect(page.getByRole("heading", { name: "Made by an agent" })).toBeVisible();
  await expect(page.getByLabel("Claim token")).toHaveValue(task.claim_token);
  await expect(page).toHaveURL(`/claim/${task.id}`);
  await page.getByRole("button", { name: "Claim this task" }).click();
  await expect(page.getByRole("heading", { name: "Claimed: this task is yours" })).toBeVisible();

  await page.getByRole("link", { name: "Open the task" }).click();
  await expect(page).toHaveURL(`/tasks/${task.id}`);
  await expect(page.getByRole("article", { name: "Made by an agent" })).toBeVisible();
  expect((await api("GET", `/api/tasks/${task.id}`)).status).toBe(403);
  expect((await own.read(`tasks/${task.id}`)).organization_id).toBe(organization.id);
});

test("A link claims what else its token covers after its own resource was deleted, or claimed alone", async ({
  page,
  api,
  key,
}) => {
  const { endpoint, inbox } = await makeSet(api);
  await api("DELETE", `/api/webhooks/${endpoint.id}`);
  await page.goto(endpoint.claim_link);
  await expect(page).toHaveURL(`/claim/${inbox.id}`);
  await page.getByRole("button", { name: "Claim all 2" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Claimed: this inbox and 1 more are yours");

  const { endpoint: alone } = await makeSet(api);
  const { claim_token } = alone;
  await api("POST", `/api/claim/${alone.id}`, { key, body: { claim_token } });
  await page.goto(alone.claim_link);
  await expect(heading).toHaveText("This webhook endpoint is already yours");
  await page.getByRole("link", { name: "Claim 2 more" }).click();
  await page.getByRole("button", { name: "Claim all 2" }).click();
  await expect(heading).toHaveText("Claimed: this inbox and 2 more are yours");
});

test("The page says what a claim ends, what it stops and what goes on, before it claims a single resource too", async ({
  page,
  context,
  api,
  key,
}) => {
  const { body: hook } = await api("POST", "/api/webhooks", { body: { name: "Pushes" } });
  const set = (part: string, body: object) =>
    api("PUT", `/api/webhooks/${hook.id}/${part}`, { body });
  const { claim_token } = hook;
  await set("verification", { scheme: "github", secret: "ours", claim_token });
  await set("forward", { url: "https://stranger.example/secret/path" });
  const region = (on: typeof page, name: string) =>
    on.getByRole("region", { name }).getByRole("listitem");
  const ends = "The forward of “Pushes” to https://stranger.example ends.";
  for (const shown of [await context.newPage(), page]) {
    await shown.goto(hook.claim_link);
    await expect(region(shown, "What ends")).toHaveText(ends);
    const goesOn = "The signature check of “Pushes” (github).";
    await expect(region(shown, "What keeps running")).toHaveText(goesOn);
    const covered = region(shown, "Everything that it covers");
    await expect(covered).toContainText("Changed since it was created");
  }

  // What is set after the page was opened is shown before it is claimed.
  await set("forward", { url: "https://later.example/" });
  const claim = page.getByRole("button", { name: "Claim this webhook endpoint" });
  await claim.click();
  const later = "The forward of “Pushes” to https://later.example ends.";
  await expect(region(page, "What ends")).toHaveText(later);
  await claim.click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Claimed: this webhook endpoint is yours");
  expect((await api("GET", `/api/webhooks/${hook.id}/forward`, { key })).status).toBe(404);
});

test("A message that a stranger changed waits after the claim until its owner sends it", async ({
  page,
  api,
  own,
}) => {
  const body = { url: "https://example.invalid/", delay_seconds: 3600 };
  const { body: message } = await api("POST", "/api/messages", { body });
  await api("PATCH", `/api/messages/${message.id}`, { body: { body: "theirs" } });
  await page.goto(message.claim_link);
  await expect(page.getByRole("region", { name: "What ends" })).toContainText("is held until");
  await page.getByRole("button", { name: "Claim this message" }).click();
  await page.getByRole("link", { name: "Open the message" }).click();
  const shown = page.getByRole("article", { name: "POST https://example.invalid/" });
  await expect(shown).toContainText(
    "changed this message, or what made it, without the claim token",
  );
  await shown.getByRole("button", { name: "Send now" }).click();
  await expect(shown).not.toContainText(
    "changed this message, or what made it, without the claim token",
  );
  expect((await own.read(`messages/${message.id}`)).held).toBe(false);
});

test("What joins a set and what a stranger sets on it after the list was shown are shown before the claim", async ({
  page,
  api,
  key,
}) => {
  const { endpoint } = await makeSet(api);
  await page.goto(endpoint.claim_link);
  const claim = page.getByRole("button", { name: /^Claim all/ });
  await expect(claim).toHaveText("Claim all 3");
  const headers = { "claim-with": endpoint.claim_token };
  await api("POST", "/api/tasks", { body: { name: "Late" }, headers });
  const forward = `/api/webhooks/${endpoint.id}/forward`;
  await api("PUT", forward, { body: { url: "https://stranger.example/" } });
  await claim.click();
  await expect(claim).toHaveText("Claim all 4");
  const ends = page.getByRole("region", { name: "What ends" }).getByRole("listitem");
  await expect(ends).toHaveText("The forward of “Pushes” to https://stranger.example ends.");
  const covered = page.getByRole("region", { name: "Everything that it covers" });
  await expect(covered).toContainText("Late");
  await claim.click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Claimed: this webhook endpoint and 3 more are yours");
  expect((await api("GET", forward, { key })).status).toBe(404);
});

test("Signing in returns to the claim with its token", async ({ visitor: page, api, key }) => {
  const { body: task } = await api("POST", "/api/tasks", { body: { name: "Waits" } });
  await page.goto(`/claim/${task.id}#claim_token=${task.claim_token}`);
  await expect(page).toHaveURL(`/claim/${task.id}`);
  await page.getByRole("link", { name: "Sign in to claim" }).click();
  await page.getByText("Sign in with an API key").click();
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in with the key" }).click();
  await expect(page).toHaveURL(`/claim/${task.id}`);
  await expect(page.getByLabel("Claim token")).toHaveValue(task.claim_token);
});

test("Every other state of a claim is explained", async ({
  api,
  baseUrl,
  db,
  organization,
  otherOrganization,
}) => {
  const make = async (key?: string, name = "One") =>
    (await api("POST", "/api/tasks", { key, body: { name } })).body.id;
  const cookie = await cookieOf(db, (await makePerson(db, organization.id)).id);
  const claim = await formOf(baseUrl, `/claim/${await make()}`, cookie, "claim_token");
  const typed = { claim_token: "clm_of_something_else", organization: organization.id };
  const refused = await claim(typed);
  expect(textOf(refused.body)).toContain("This token does not match");

  for (const [id, words] of [
    [await make(organization.key), "This task is already yours"],
    [await make(otherOrganization.key, "A secret plan"), "This task has an owner"],
    ["tsk_0000000000000000000000000", "This task does not exist"],
    ["nonsense", "This cannot be claimed"],
  ] as const) {
    const { text } = await call(baseUrl, "GET", `/claim/${id}`, { headers: { cookie } });
    expect(textOf(text), id).toContain(words);
    expect(text, id).not.toContain("A secret plan");
  }
});

test("Several can be claimed at once, with a result for each, and all that a link covers once it was shown", async ({
  page,
  api,
  baseUrl,
  own,
}) => {
  const make = async () => (await api("POST", "/api/tasks", { body: { name: "One" } })).body;
  const [first, second, third, fourth] = [await make(), await make(), await make(), await make()];
  await page.goto("/claim");
  const claims = [
    `${baseUrl}/claim/${first.id}#claim_token=${first.claim_token}`,
    JSON.stringify(second),
    fourth.id,
    `${third.id} ${first.claim_token}`,
  ];
  const pasted = page.getByLabel("Claim URLs or IDs, each with its token");
  const claimAll = page.getByRole("button", { name: "Claim all" });
  await pasted.fill(claims.join("\n"));
  await claimAll.click();
  const outcomes = page.getByRole("status").getByRole("listitem");
  await expect(outcomes).toHaveText([
    `${first.id} Claimed`,
    new RegExp(`^${third.id} This token does not match`),
    `${second.id} Claimed`,
    `${fourth.id} The text has no claim token for it.`,
  ]);

  const { endpoint, inbox } = await makeSet(api);
  await api("PUT", `/api/webhooks/${endpoint.id}/forward`, {
    body: { url: "https://stranger.example/" },
  });
  await pasted.fill(endpoint.claim_link);
  await claimAll.click();
  const region = (name: string) => page.getByRole("region", { name }).getByRole("listitem");
  await expect(region("Everything that it covers")).toHaveText([
    /^Pushes webhook endpoint/,
    "Checked pushes inbox",
    "Read them task",
  ]);
  await expect(region("What ends")).toContainText("https://stranger.example ends.");
  expect((await api("GET", `/api/inboxes/${inbox.id}`)).status).toBe(200);
  await claimAll.click();
  await expect(outcomes).toHaveText([
    `${endpoint.id} Claimed`,
    `${inbox.id} Claimed`,
    /^tsk_\w+ Claimed$/,
  ]);
  await own.read(`inboxes/${inbox.id}`);
});

test("A claim works without scripts, and the overview shows it", async ({ openBrowser, api }) => {
  const { endpoint, inbox } = await makeSet(api);
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/claim/${inbox.id}`);
  await page.getByLabel("Claim token").fill(endpoint.claim_token);
  await page.getByRole("button", { name: "Claim this inbox" }).click();
  await expect(page.getByRole("region", { name: "Everything that it covers" })).toBeVisible();
  await page.getByRole("button", { name: "Claim all 3" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Claimed: this inbox and 2 more are yours");
  const overview = await page.request.get("/dashboard");
  expect(textOf(await overview.text())).toContain("claimed the inbox Checked pushes");
});

/** An endpoint, an inbox and a task with one claim token. */
async function makeSet(api: Api) {
  const { body: endpoint } = await api("POST", "/api/webhooks", { body: { name: "Pushes" } });
  const headers = { "claim-with": endpoint.claim_token };
  const inbox = await api("POST", "/api/inboxes", { body: { name: "Checked pushes" }, headers });
  await api("POST", "/api/tasks", { body: { name: "Read them" }, headers });
  return { endpoint, inbox: inbox.body };
}
