import { writeFile } from "node:fs/promises";
import type { Browser, Page } from "playwright/test";
import type { Api } from "../../tests/support/http";
import type { Mailbox } from "../../tests/support/mailbox";

interface Visit {
  browser: Browser;
  baseUrl: string;
  api: Api;
  mailbox: Mailbox;
  /** The folder of the pictures. */
  out: string;
}

const NEWCOMER = "mira@example.com";

/**
 * Takes the first five minutes of a new user as numbered pictures: their agent makes an endpoint
 * without a key, and they watch it, claim it and use the dashboard.
 */
export async function takeFirstMinutes({ browser, baseUrl, api, mailbox, out }: Visit) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const take = pictureTaker(page, out);
  await page.goto(baseUrl);
  await take("home");

  const created = await api("POST", "/api/webhooks", { body: { name: "Payments" } });
  const { id, view_url, claim_link } = created.body;
  const capture = (amount: number) =>
    api("POST", `/api/catch/${id}`, { body: { type: "payment.succeeded", amount } });
  await page.goto(view_url);
  await page.getByText("Live", { exact: true }).waitFor();
  await take("endpoint-without-an-account");
  for (const amount of [120, 4210, 8973]) await capture(amount);
  await page.locator("[data-row]").nth(2).waitFor();
  await take("requests-arrive");
  await page.locator("[data-row]").first().click();
  await page.getByRole("article").getByText("payment.succeeded").first().waitFor();
  await take("a-request");

  await page.goto(claim_link);
  await take("claim-link");
  await page.goto(`${baseUrl}/sign-in`);
  await page.getByLabel("Email address").fill(NEWCOMER);
  await take("sign-in");
  await page.getByRole("button", { name: "Send the code" }).click();
  await page.getByLabel("Code").fill(await mailbox.code(NEWCOMER));
  await take("code");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/dashboard$/);
  await take("empty-overview");

  await page.goto(claim_link);
  await page.getByRole("button", { name: /^Claim/ }).click();
  await page.waitForURL(/claimed=1/);
  await take("claimed");
  await page.goto(`${baseUrl}/dashboard`);
  await take("overview");
  await page.goto(`${baseUrl}/webhooks/${id}`);
  await take("own-endpoint");
  await page.goto(`${baseUrl}/tasks?new=1`);
  await page.getByLabel("Name").fill("Check the failed payment");
  await take("new-task");
  await page.getByRole("button", { name: "Create task" }).click();
  await page.waitForURL(/\/tasks\/tsk_/);
  await take("task");
  await page.goto(`${baseUrl}/keys?new=1`);
  await take("key-for-an-agent");
  await page.close();
}

function pictureTaker(page: Page, out: string) {
  let count = 0;
  return async (name: string) => {
    count += 1;
    await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const file = `${String(count).padStart(2, "0")}-${name}.png`;
    await writeFile(`${out}/${file}`, await page.screenshot());
  };
}
