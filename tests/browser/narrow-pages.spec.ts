import { expect, test } from "../support/browser-fixtures";

/** What a phone of 320 px still shows whole. */

test.use({ viewport: { width: 320, height: 640 } });

test("A form that edits is closed from the line of its title", async ({ page, own }) => {
  const { id } = await own.create("tasks", { name: "Compare the quotes for thermal labels again" });
  await page.goto(`/tasks/${id}?edit=1`);
  const pane = page.getByRole("complementary");
  const title = await pane.getByRole("heading", { name: /^Compare/ }).boundingBox();
  const close = await pane.getByRole("link", { name: "Close, back to the list" }).boundingBox();
  expect(Number(close?.y)).toBeLessThan(Number(title?.y) + 32);
});

test("A key's name is whole beside the key and who made it", async ({ page }) => {
  await page.goto("/keys?new=1");
  await page.getByLabel("Name").fill("Deploy bot");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("link", { name: "Done" }).click();
  const name = page.getByRole("cell").getByText("Deploy bot", { exact: true });
  await expect(name).toBeVisible();
  // A name that lacks part of a pixel already ends with dots.
  const missing = await name.evaluate((shown) => {
    const text = document.createRange();
    text.selectNodeContents(shown);
    return text.getBoundingClientRect().width - shown.getBoundingClientRect().width;
  });
  expect(missing).toBeLessThanOrEqual(0);
});
