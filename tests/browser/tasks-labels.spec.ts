import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";

const HOSTILE = `<img src=x onerror="document.title='taken'">`;

test("Labels can be picked, added and removed by keyboard", async ({ page, own }) => {
  await own.create("tasks", { name: "1", labels: ["finance", "rare"] });
  await own.create("tasks", { name: "2", labels: ["finance", "fish"] });
  const before = { name: "Labelled", labels: ["a", "b"] };
  const { id } = await own.create("tasks", before);
  await page.goto(`/tasks/${id}?edit=1`);
  const field = labelsField(page);
  await field.focus();
  await page.keyboard.type("fi");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText([
    "finance",
    "fish",
    "Add “fi”",
  ]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expectChosen(page, ["a", "b", "finance"]);
  await expect(field).toHaveValue("");
  await page.keyboard.type("fi");
  await page.keyboard.press("Enter");
  await page.keyboard.type("c,b, d ,");
  // Held down, Backspace stops at the chips.
  await page.keyboard.type("x");
  for (let time = 0; time < 3; time += 1) await page.keyboard.down("Backspace");
  await page.keyboard.up("Backspace");
  await expectChosen(page, ["a", "b", "finance", "fi", "c", "d"]);
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Delete");
  await expectChosen(page, ["a", "b", "fi"]);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  await expect(field).toBeFocused();
  await page.getByRole("button", { name: "Save changes" }).press("Enter");
  await expect(page).toHaveURL(`/tasks/${id}`);
  expect((await own.read(`tasks/${id}`)).labels).toEqual(["a", "b", "fi"]);
});

test("Suggested labels are the organization's own, most used first", async ({
  page,
  api,
  key,
  otherOrganization,
}) => {
  const make = async (labels: string[], as: string | undefined) =>
    (await api("POST", "/api/tasks", { ...(as && { key: as }), body: { name: "x", labels } })).body;
  await make(["once", "twice", HOSTILE], key);
  await make(["twice", "thrice"], key);
  await make(["twice", "thrice"], key);
  await make(["theirs"], otherOrganization.key);
  const open = await make(["anybody's"], undefined);
  await page.goto("/tasks?new=1");
  await labelsField(page).click();
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText([
    "twice",
    "thrice",
    HOSTILE,
    "once",
  ]);
  await page.getByRole("listbox").getByRole("option", { name: "thrice" }).click();
  await expectChosen(page, ["thrice"]);
  await page.context().clearCookies();
  await page.goto(`/tasks/${open.id}?edit=1`);
  await page.getByRole("button", { name: "Remove anybody's" }).click();
  await labelsField(page).click();
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText(["anybody's"]);
  expect(await page.content()).not.toContain("twice");
  expect(await page.title()).not.toBe("taken");
});

test("A typed label survives Escape, blur and a refused form", async ({ page, own }) => {
  const { id } = await own.create("tasks", { name: "x", labels: ["a"] });
  await page.goto(`/tasks/${id}?edit=1`);
  const field = labelsField(page);
  const long = "l".repeat(101);
  await field.fill(`${long},typed`);
  await field.press("Escape");
  await field.press("Escape");
  await field.press("ArrowDown");
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText("Add “typed”");
  await page.getByLabel("Name").click();
  await expect(page.getByRole("listbox").getByRole("option")).toHaveCount(0);
  await expect(field).toHaveValue("typed");
  await expectChosen(page, ["a", long]);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toBeVisible();
  await expect(field).toHaveValue("typed");
  await page.getByRole("button", { name: `Remove ${long}` }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`/tasks/${id}`);
  expect((await own.read(`tasks/${id}`)).labels).toEqual(["a", "typed"]);
});

test("A word of an input method is kept whole until it is complete", async ({ page, context }) => {
  await page.goto("/tasks?new=1");
  await labelsField(page).focus();
  const keyboard = await context.newCDPSession(page);
  const compose = (text: string) =>
    keyboard.send("Input.imeSetComposition", { text, selectionStart: 2, selectionEnd: 2 });
  await compose("か,");
  await compose("かな");
  await expect(labelsField(page)).toHaveValue("かな");
  await keyboard.send("Input.insertText", { text: "仮名" });
  await expect(page.getByRole("listbox").getByRole("option")).toHaveText("Add “仮名”");
  await expect(labelsField(page)).toHaveValue("仮名");
  await expectChosen(page, []);
});

test("Without scripts labels can be read, kept and added", async ({ openBrowser, own }) => {
  const labels = ["a, b", "c"];
  const { id } = await own.create("tasks", { name: "x", labels });
  const page = await openBrowser({ javaScriptEnabled: false });
  await page.goto(`/tasks/${id}?edit=1`);
  await expect(page.getByRole("toolbar", { name: "Chosen labels" })).toHaveText("a, bc");
  await labelsField(page).fill("d, e");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`/tasks/${id}`);
  const after = await own.read(`tasks/${id}`);
  expect(after.labels).toEqual(["a, b", "c", "d", "e"]);
});

function labelsField(page: Page) {
  return page.getByRole("combobox", { name: "Labels" });
}

async function expectChosen(page: Page, labels: string[]) {
  await expect
    .poll(() =>
      page
        .locator('input[name="label"]')
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
    )
    .toEqual(labels);
}
