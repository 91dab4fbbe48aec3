import { expect, test } from "../support/browser-fixtures";

test("A person sees the public key, the signing secret on request only, and rotates it", async ({
  page,
  api,
  key,
  organization,
}) => {
  const read = async () =>
    String(JSON.parse((await api("GET", "/api/signing-secret", { key })).text).secret);
  const old = await read();
  await page.goto("/settings?tab=developers");
  expect(await page.content()).not.toContain("whsec_");
  const section = page.getByRole("region", { name: "Signing secret" });
  const keys = `/.well-known/webhook-signing-keys.json?organization=${organization.id}`;
  const publicKey = JSON.parse((await api("GET", keys)).text).keys[0].public_key;
  await expect(section.locator("code")).toHaveText([publicKey]);
  await expect(section.getByRole("link", { name: "JSON" })).toHaveAttribute("href", keys);
  await section.getByRole("button", { name: "Show" }).click();
  await expect(section.locator("code")).toHaveText([old, publicKey]);
  await page.reload();
  await expect(section.locator("code")).toHaveCount(1);

  await section.getByRole("button", { name: "Show" }).click();
  await section.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  await expect(section.locator("code")).toHaveCount(1);
  await section.getByRole("button", { name: "Show" }).click();
  await expect(section.locator("code")).toHaveText([await read(), publicKey]);
  expect(await read()).not.toBe(old);
  await expect(section).toContainText("The previous secret also signs");
});
