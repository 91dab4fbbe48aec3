import type { Page } from "playwright/test";
import { expect, test } from "../support/browser-fixtures";
import { call } from "../support/http";
import { randomText } from "../support/keys";
import { challengeOf, tokensOf } from "../support/oauth";

/** The consent page in a browser: sign-in, phone, keyboard, and the way to the client. */

const VERIFIER = "v".repeat(43);
const CALLBACK = "http://127.0.0.1:47113/callback";

function authorizeUrl(baseUrl: string) {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "agent-infra-cli",
    redirect_uri: CALLBACK,
    state: "from & to",
    code_challenge: challengeOf(VERIFIER),
    code_challenge_method: "S256",
    resource: `${baseUrl}/`,
  });
  return `${baseUrl}/oauth/authorize?${query}`;
}

/** Answers for the client, and resolves to the URL that it gets once its page shows. */
async function clientOf(page: Page): Promise<() => Promise<URL>> {
  const urls: URL[] = [];
  await page.route(`${CALLBACK}*`, async (route) => {
    urls.push(new URL(route.request().url()));
    await route.fulfill({ contentType: "text/html", body: "<h1>Back in the client</h1>" });
  });
  return async () => {
    await expect(page.getByRole("heading", { name: "Back in the client" })).toBeVisible();
    expect(urls).toHaveLength(1);
    return urls[0] ?? new URL("about:blank");
  };
}

async function exchange(baseUrl: string, url: URL) {
  const raw = new URLSearchParams({
    grant_type: "authorization_code",
    client_id: "agent-infra-cli",
    code: url.searchParams.get("code") ?? "",
    code_verifier: VERIFIER,
    redirect_uri: CALLBACK,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return tokensOf(await call(baseUrl, "POST", "/oauth/token", { raw: String(raw), headers }));
}

async function expectNoSideways(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow).toBeLessThanOrEqual(0);
}

test("On a phone, a new person signs in by email, allows the client and lands in it", async ({
  visitor: page,
  mailbox,
  mailingServer: { baseUrl },
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const arrived = await clientOf(page);
  const email = `${randomText(12).toLowerCase()}@example.com`;
  await page.goto(authorizeUrl(baseUrl));
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await page.getByLabel("Email address").fill(email);
  await page.getByRole("button", { name: "Send the code" }).click();
  await page.getByLabel("Code").fill(await mailbox.code(email));
  await page.getByRole("button", { name: "Sign in" }).click();

  await expect(
    page.getByRole("heading", { name: "Connect agent-infra command line?" }),
  ).toBeVisible();
  await expect(page.getByText("continue only if you started this here")).toBeVisible();
  await expectNoSideways(page);
  await page.getByLabel("Read only").check();
  await page.getByRole("button", { name: "Allow" }).click();
  const url = await arrived();
  expect(url.searchParams.get("state")).toBe("from & to");
  expect(url.searchParams.get("iss")).toBe(baseUrl);
  expect((await exchange(baseUrl, url)).scope).toBe("api.read");
});

test("The keyboard alone denies a client, within the page's policy", async ({ page, baseUrl }) => {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/.test(message.text())) violations.push(message.text());
  });
  const arrived = await clientOf(page);
  await page.goto(authorizeUrl(baseUrl));
  await page.getByLabel("Organization").focus();
  for (const key of ["Tab", "ArrowDown", "Tab", "Tab", "Enter"]) await page.keyboard.press(key);
  const url = await arrived();
  expect(url.searchParams.get("error")).toBe("access_denied");
  expect(url.searchParams.get("code")).toBeNull();
  expect(violations).toEqual([]);
});

test("Without scripts the page leads to the client too", async ({ openBrowser, baseUrl }) => {
  const page = await openBrowser({ javaScriptEnabled: false });
  const arrived = await clientOf(page);
  await page.goto(authorizeUrl(baseUrl));
  await page.getByRole("button", { name: "Allow" }).click();
  expect((await exchange(baseUrl, await arrived())).scope).toBe("api.read api.write");
});

test("Connected clients are listed under Keys & agents, and disconnected there", async ({
  page,
  baseUrl,
  person,
}) => {
  const arrived = await clientOf(page);
  await page.goto(authorizeUrl(baseUrl));
  await page.getByRole("button", { name: "Allow" }).click();
  const { access_token } = await exchange(baseUrl, await arrived());
  const status = async () =>
    (await call(baseUrl, "GET", "/api/tasks", { key: access_token })).status;
  expect(await status()).toBe(200);

  await page.goto(`${baseUrl}/keys`);
  const clients = page.getByRole("region", { name: "Connected clients" });
  await expect(clients.getByRole("row").nth(1)).toContainText(`this computer, by ${person.email}`);
  await clients.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("button", { name: "Disconnect client" }).click();
  await expect(clients.getByText("revoked")).toBeVisible();
  expect(await status()).toBe(401);
});
