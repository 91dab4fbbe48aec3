import { expect, test } from "../support/browser-fixtures";
import { openMenu } from "../support/pages";

test("An event is compared with the last one like it, with differences marked in words", async ({
  page,
  api,
  endpoint,
}) => {
  const body = { order: 1, items: ["a", "b", "c"], total: 10 };
  const left = await endpoint.capture({
    body,
    query: { x: [1, 2], same: "s" },
    headers: { "x-event": "paid", "x-old": "1", authorization: "Bearer a-secret" },
  });
  await api("GET", `/api/catch/${endpoint.id}`);
  const right = await endpoint.capture({
    body: { ...body, items: ["a", "c", "d"], total: 10.5 },
    query: { x: [1, 3], same: "s" },
    headers: { "x-event": "refunded", "x-new": "2" },
  });
  await page.goto(`/webhooks/${endpoint.id}/events/${right}`);
  await openMenu(page);
  await page.getByRole("link", { name: "Compare" }).click();
  await expect(page).toHaveURL(`/webhooks/compare/${endpoint.id}?right=${right}`);
  const rows = (name: string) => page.getByRole("table", { name, exact: true }).locator("tbody tr");
  await expect(rows("Query")).toHaveText(["x23"]);
  await expect(rows("Headers").filter({ hasText: "x-event" })).toHaveText("x-eventpaidrefunded");
  await expect(rows("Headers").filter({ hasText: "x-old" })).toHaveText("x-old1none");
  await expect(rows("Headers").filter({ hasText: "x-new" })).toHaveText("x-newnone2");
  await expect(page.getByText("a-secret")).toBeHidden();
  const lines = page.getByRole("region", { name: "Differences between the bodies" }).locator("tr");
  await expect(lines.filter({ hasText: '"total"' })).toHaveText(
    '−Removed:   "total": 10+Added:   "total": 10.5',
  );
  await expect(lines.filter({ hasText: '"a"' })).toHaveText('    "a",    "a",');
  await page.getByRole("link", { name: "Swap" }).click();
  await expect(rows("Query")).toHaveText(["x32"]);
  await page.getByLabel("Left").selectOption({ index: 2 });
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page).toHaveURL(`/webhooks/compare/${endpoint.id}?left=${left}&right=${left}`);
  await expect(page.getByText("The bodies are the same.")).toBeVisible();
});

test("A comparison copes with one event, none, and hostile bodies", async ({ page, endpoint }) => {
  await page.goto(`/webhooks/compare/${endpoint.id}`);
  await expect(page.getByText("Capture two requests to compare them.")).toBeVisible();
  const text = await endpoint.capture({ raw: "line\n".repeat(150_000) });
  const binary = await endpoint.capture({ raw: Buffer.from([0xff, 0xfe, 0]) });
  const lines = await endpoint.capture({
    raw: Array.from({ length: 100_000 }, (_, n) => `${n}`).join("\n"),
  });
  const status = async (left: string, right: string) => {
    const response = await page.request.get(
      `/webhooks/compare/${endpoint.id}?left=${left}&right=${right}`,
    );
    return `${response.status()} ${/The bodies (?:differ|are)[^<]*/.exec(await response.text())?.[0] ?? ""}`;
  };
  expect(await status(text, binary)).toBe("200 The bodies differ, and are not both text.");
  expect(await status(text, lines)).toBe(
    "200 The bodies are too long, or too different, to compare.",
  );
  expect(await status(text, "wev_missing")).toBe("404 ");
  expect(await status("%00", "'")).toBe("404 ");
});
