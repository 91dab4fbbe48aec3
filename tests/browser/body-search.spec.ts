import { expect, test } from "../support/browser-fixtures";
import { openEvent } from "../support/pages";

test("A search looks at all of a long body, as text and as bytes", async ({ page, endpoint }) => {
  const raw = `first needle\r\n${"a line\r\n".repeat(100_000)}LAST NEEDLE 漢`;
  await endpoint.capture({ raw: "another text" });
  const path = await openEvent(page, endpoint, { raw }, "body=raw");
  const field = page.getByLabel("Find in the body");
  const matches = page.getByRole("status", { name: "Matches" });
  const marked = () =>
    page.evaluate(() => [...(CSS.highlights.get("found-here") ?? [])].map(String));
  await page.route("**/body", (route) => route.abort());
  await field.fill("needle");
  await expect(matches).toHaveText("1 of 1 in the part shown: the rest could not be loaded");
  await page.unroute("**/body");
  await field.fill("NEEDLE");
  await expect(matches).toHaveText("1 of 2");
  await field.press("Shift+Enter");
  await expect(page.getByRole("region", { name: "Body", exact: true })).toContainText(
    "LAST NEEDLE 漢",
  );
  await expect.poll(marked).toEqual(["NEEDLE"]);
  await expect(page.getByRole("status", { name: "Part" })).toContainText("to 800,027 of 800,027");
  await page.getByRole("button", { name: "Previous part" }).click();
  await expect(page.getByRole("status", { name: "Part" })).toContainText("750,001 to 800,000");

  // The next event has nothing of this one.
  await page.locator("[data-row]", { hasText: "another text" }).click();
  await expect(page.getByRole("region", { name: "Body", exact: true })).toHaveText("another text");
  await expect(field).toHaveValue("");

  await page.goto(`${path}?body=hex`);
  await field.fill("e6 bc a2");
  await expect(matches).toHaveText("1 of 1");
  await expect.poll(marked).toEqual(["e6 bc a2"]);
});

test("A view of the beginning says so, and leads to a full search", async ({ page, endpoint }) => {
  const raw = `[${"12345678901234567890,".repeat(5000)}"needle"]`;
  await openEvent(page, endpoint, { raw });
  const matches = page.getByRole("status", { name: "Matches" });
  await page.getByLabel("Find in the body").fill("needle");
  await expect(matches).toContainText("none in the part shown");
  await page.getByRole("link", { name: "Search all of it" }).click();
  await expect(page.getByRole("link", { name: "raw" })).toHaveAttribute("aria-current", "page");
  await page.getByLabel("Find in the body").fill("needle");
  await expect(matches).toHaveText("1 of 1");
});

test("The current match of a long body is never under the search field or past the end", async ({
  page,
  endpoint,
}) => {
  const items = Array.from({ length: 100 }, (_, id) => ({ id, name: `needle ${id}`, at: [1, 2] }));
  await openEvent(page, endpoint, { body: items });
  const field = page.getByLabel("Find in the body");
  const matches = page.getByRole("status", { name: "Matches" });
  await field.fill("needle");
  await expect(matches).toHaveText("1 of 100");
  const isInSight = () =>
    page.evaluate(() => {
      const [here] = [...(CSS.highlights.get("found-here") ?? [])];
      const box = here instanceof Range ? here.getBoundingClientRect() : undefined;
      const bar = document.activeElement?.getBoundingClientRect();
      return !!box && !!bar && box.top >= bar.bottom && box.bottom <= innerHeight;
    });
  for (const [keys, last] of [
    [Array(9).fill("Enter"), "10 of 100"],
    [Array(6).fill("Shift+Enter"), "4 of 100"],
  ] as const) {
    for (const key of keys) {
      await field.press(key);
      await expect.poll(isInSight).toBe(true);
    }
    await expect(matches).toHaveText(last);
  }
});
