import { expect, test } from "../support/browser-fixtures";
import { clockWithRoom } from "../support/windows";

const DUE = Date.UTC(2031, 4, 6, 7, 8, 37) / 1000;

test("In another time zone, times are shown, entered and restored in it, and UTC shows on hover", async ({
  openBrowser,
  own,
}) => {
  const task = await own.create("tasks", { name: "Far", due_at: DUE });
  const page = await openBrowser({ timezoneId: "Asia/Kolkata" });
  // As over plain HTTP.
  await page.addInitScript(() => Reflect.deleteProperty(window, "cookieStore"));
  await page.goto("/tasks");
  const due = page.locator(`time[data-unix="${DUE}"]`);
  await expect(due).toHaveAttribute(
    "title",
    "2031-05-06 12:38:37 GMT+5:30, 2031-05-06 07:08:37 UTC",
  );
  await page.goto(`/tasks/${task.id}?edit=1`);
  const field = page.getByLabel("Due");
  await expect(field).toHaveValue("2031-05-06T12:38");
  await expect(page.getByText(/^Asia\/(Kolkata|Calcutta)$/)).toBeVisible();
  await page.getByLabel("Priority", { exact: true }).selectOption("high");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`/tasks/${task.id}`);
  const read = () => own.read(`tasks/${task.id}`);
  expect(await read()).toMatchObject({ priority: "high", due_at: DUE });

  await page.getByRole("link", { name: "Edit" }).click();
  await field.fill("2031-05-06T00:15");
  await page.reload();
  await expect(field).toHaveValue("2031-05-06T00:15");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`/tasks/${task.id}`);
  expect((await read()).due_at).toBe(Date.UTC(2031, 4, 5, 18, 45) / 1000);
});

test("Without scripts a time is entered in the zone that the form names", async ({
  openBrowser,
  baseUrl,
  own,
}) => {
  const { id } = await own.create("tasks", { name: "Plain", due_at: DUE });
  const page = await openBrowser({ javaScriptEnabled: false });
  const context = page.context();
  const enter = async (shown: string, zone: string, typed: string) => {
    await page.goto(`/tasks/${id}?edit=1`);
    await expect(page.getByLabel("Due")).toHaveValue(shown);
    await expect(page.getByText(zone, { exact: true })).toBeVisible();
    await page.getByLabel("Due").fill(typed);
    await page.getByRole("button", { name: "Save changes" }).click();
    await expect(page).toHaveURL(`/tasks/${id}`);
    return (await own.read(`tasks/${id}`)).due_at;
  };
  await context.addCookies([{ name: "timezone", value: "Europe/Berlin", url: baseUrl }]);
  expect(await enter("2031-05-06T09:08", "Europe/Berlin", "2031-05-07T04:00")).toBe(
    Date.UTC(2031, 4, 7, 2) / 1000,
  );
  await context.addCookies([{ name: "timezone", value: "Mars/<script>", url: baseUrl }]);
  expect(await enter("2031-05-07T02:00", "UTC", "2031-05-07T05:00")).toBe(
    Date.UTC(2031, 4, 7, 5) / 1000,
  );
});

test("A forged time zone or date is an error of its field", async ({ page, own }) => {
  const { id } = await own.create("tasks", { name: "Forged", due_at: DUE });
  await page.goto(`/tasks/${id}?edit=1`);
  await page.getByLabel("Due").fill("2031-05-06T00:15");
  await page.locator("input[name=due_at_zone]").evaluate((input: HTMLInputElement) => {
    input.value = "Mars/Olympus";
  });
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("main").getByRole("alert")).toContainText("Enter a date and a time.");
  expect((await own.read(`tasks/${id}`)).due_at).toBe(DUE);
});

test("A bar of a month's chart is a day in UTC, and has its date in any time zone", async ({
  openBrowser,
  db,
  endpoint,
}) => {
  await clockWithRoom(db, 3600);
  await endpoint.capture();
  const page = await openBrowser({ timezoneId: "America/Los_Angeles" });
  await page.goto("/dashboard?range=30d");
  const today = new Date().toUTCString().slice(5, 11);
  const chart = page.getByRole("slider", { name: "Captured over time" });
  await expect(chart).toHaveAttribute("aria-valuetext", `${today} UTC: 1`);
});
