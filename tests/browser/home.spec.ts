import { kinds } from "@/lib/resources/kinds";
import { expect, test } from "../support/browser-fixtures";

test("The home page copies calls and words verbatim", async ({ page, context, baseUrl }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  await page.goto("/");
  // The two seconds for which a button says "Copied" begin now, and pass in the end.
  await page.clock.pauseAt(Date.now() + 60_000);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copy the call for tasks" }).click();
  await expect(page.getByRole("button", { name: "Copied the call for tasks" })).toBeVisible();
  expect(await copied()).toBe(
    `curl ${baseUrl}/api/tasks -d '{"name":"Say hello","labels":["demo"]}'`,
  );
  await page.getByRole("button", { name: "Copy the words for your agent" }).click();
  await expect.poll(copied).toContain(`Read ${baseUrl}/llms.txt`);
  await page.clock.resume();
  await expect(page.getByRole("button", { name: /^Copy/ })).toHaveCount(kinds.length + 1);
});

test("The home page makes a real endpoint, and what is sent there arrives and grows old by itself", async ({
  page,
  api,
}) => {
  await page.goto("/");
  await page.getByRole("button", { name: "Make a real one" }).click();
  await expect(page.getByText("Nothing has arrived yet.")).toBeVisible();
  await page.getByRole("button", { name: "Send a request" }).click();
  const endpoint = page.getByRole("figure");
  await expect(endpoint).toContainText('{"type":"payment.succeeded"');
  const url = (await endpoint.getByText("/api/catch/wh_").textContent()) ?? "";
  await api("POST", new URL(url).pathname, { body: { from: "another machine" } });
  await expect(endpoint).toContainText('{"from":"another machine"}');
  await expect(endpoint).toContainText(/another machine"\}[1-9]\d* s ago/);
  // Ages would be read aloud every second.
  const announced = endpoint.locator("[aria-live]");
  await expect(announced).toHaveText('POST {"from":"another machine"}');
  await page.getByRole("link", { name: "Open its page" }).click();
  await expect(page.getByRole("main")).toContainText("another machine");
});

test("An endpoint of the home page says after ten minutes that it is paused, and goes on when asked", async ({
  page,
  context,
  api,
}) => {
  await page.clock.install();
  await page.goto("/");
  await page.getByRole("button", { name: "Make a real one" }).click();
  const endpoint = page.getByRole("figure");
  await expect(endpoint.getByText("Nothing has arrived yet.")).toBeVisible();
  const url = (await endpoint.getByText("/api/catch/wh_").textContent()) ?? "";
  // Offline, so that eleven minutes of polls cost the server nothing.
  await context.setOffline(true);
  await page.clock.runFor(660_000);
  const state = (word: string) => endpoint.locator("span").getByText(word, { exact: true });
  await expect(state("Paused")).toBeVisible();
  await context.setOffline(false);
  await api("POST", new URL(url).pathname, { body: { from: "another machine" } });
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(state("Live")).toBeVisible();
  await page.clock.runFor(3000);
  await expect(endpoint).toContainText("another machine");
});

test("A link's preview has a picture of the usual size", async ({ request, baseUrl }) => {
  const html = await (await request.get("/", { headers: { accept: "text/html" } })).text();
  const [, picture = ""] = /<meta property="og:image" content="([^"]+)"/.exec(html) ?? [];
  expect(picture).toMatch(new RegExp(`^${baseUrl}/opengraph-image`));
  const response = await request.get(picture);
  expect(response.headers()["content-type"]).toBe("image/png");
  const bytes = await response.body();
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(bytes.length).toBeLessThan(100_000);
});
