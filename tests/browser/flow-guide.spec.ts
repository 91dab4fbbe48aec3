import { expect, type Own, test } from "../support/browser-fixtures";
import { LOCAL, operationAt, read } from "../support/documents";
import { expectStatus } from "../support/expectations";
import { runGuide } from "../support/guide-session";
import { githubHeaders } from "../support/signatures";

test("The guide from a webhook to a report runs as written, and a person opens its link and owns everything", async ({
  page,
  api,
  baseUrl,
  organization,
  key,
  own,
}) => {
  const output = await runGuide(read("docs/guides/from-webhook-to-report.md"), {
    replaced: { [LOCAL]: baseUrl },
    environment: {},
  });
  const calls = [...output.matchAll(/(\d{3}) ([A-Z]+) (http\S+)$/gm)];
  expect(calls).toHaveLength(12);
  for (const [call, status, method = "", url = ""] of calls) {
    expect.soft(Number(status), call).toBeLessThan(300);
    expect.soft(operationAt(method, new URL(url).pathname), call).toBeDefined();
  }

  await page.goto(/http\S+#claim_token=\w+/.exec(output)?.[0] ?? "");
  const covered = page.getByRole("region", { name: "Everything that it covers" });
  await expect(covered.getByRole("listitem")).toHaveText([
    "Pushes webhook endpoint",
    "Verified pushes inbox",
    "Report on the push to main task",
    "Push to main artifact",
  ]);
  await page.getByRole("button", { name: "Claim all 4" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Claimed: this webhook endpoint and 3 more are yours",
  );

  const [endpoint, inbox, task, artifact] = await Promise.all(
    ["webhooks", "inboxes", "tasks", "artifacts"].map((kind) => onlyOne(own, kind)),
  );
  for (const one of [endpoint, inbox, task, artifact]) {
    expect(one?.organization_id).toBe(organization.id);
  }
  expect(task?.labels).toEqual(["done"]);
  const notes = await api("GET", `/api/tasks/${task?.id}/notes`, { key });
  const [shareUrl = ""] = /http[^"]+/.exec(notes.text) ?? [];
  expect(shareUrl).toContain(`${baseUrl}/a/`);
  await page.goto(shareUrl);
  await expect(page).toHaveTitle(/Push to main/);

  const push = JSON.stringify({ ref: "refs/heads/main" });
  const headers = githubHeaders("A shared secret", push, crypto.randomUUID());
  expectStatus(await api("POST", `/api/catch/${endpoint?.id}`, { raw: push, headers }), 200);
  expect((await own.read(`inboxes/${inbox?.id}/events`)).data).toHaveLength(1);
});

async function onlyOne(own: Own, kind: string) {
  const { data } = await own.read(kind);
  expect(data).toHaveLength(1);
  return data[0];
}
