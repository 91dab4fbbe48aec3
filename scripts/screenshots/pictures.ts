import type { Page } from "playwright/test";
import type { Api } from "../../tests/support/http";
import { flowPicturesOf } from "./flow";
import type { Picture } from "./picture";

/** Every page, each with the resource that has the most to show. */
export async function picturesOf(api: Api, key: string): Promise<Picture[]> {
  const read = async (path: string) => (await api("GET", path, { key })).body.data;
  const named = async (path: string, name: string) => {
    const found = (await read(`${path}?limit=100`)).find((one) => one.name === name);
    if (!found) throw new Error(`The seed makes no ${name} in ${path}.`);
    return found.id;
  };
  const webhook = await named("/api/webhooks", "Payments");
  const [event] = await read(`/api/webhooks/${webhook}/events?limit=1`);
  const inbox = await named("/api/inboxes", "Invoices");
  const [job] = await read(`/api/inboxes/${inbox}/events?limit=1`);
  const artifact = await named("/api/artifacts", "Weekly operations report");
  const task = await named("/api/tasks", "Reconcile the October payouts with the ledger");
  const failed = (await read("/api/messages?status=failed&limit=100")).find(({ url }) =>
    url.includes("adler-labels"),
  );
  const { body: share } = await api("POST", `/api/artifacts/${artifact}/share`, { key, body: {} });
  const claim = await claimable(api);
  return [
    { name: "home", path: "/", as: "nobody" },
    { name: "sign-in", path: "/sign-in", as: "nobody" },
    { name: "overview", path: "/dashboard" },
    { name: "overview-empty", path: "/dashboard", as: "newcomer" },
    { name: "palette", path: "/dashboard", before: openPalette },
    { name: "tasks", path: "/tasks" },
    { name: "tasks-board", path: "/tasks?view=board" },
    { name: "tasks-empty", path: "/tasks", as: "newcomer" },
    { name: "task", path: `/tasks/${task}` },
    { name: "task-edit", path: `/tasks/${task}?edit=1` },
    { name: "webhooks", path: "/webhooks" },
    { name: "webhook", path: `/webhooks/${webhook}`, before: awaitStream },
    {
      name: "webhook-event",
      path: `/webhooks/${webhook}/events/${event?.id}`,
      before: awaitStream,
    },
    { name: "webhook-test", path: `/webhooks/${webhook}`, before: openTest },
    { name: "webhook-purge", path: `/webhooks/${webhook}`, before: askPurge },
    { name: "artifacts", path: "/artifacts" },
    { name: "artifact", path: `/artifacts/${artifact}` },
    { name: "artifact-version", path: `/artifacts/${artifact}/versions/1` },
    { name: "artifact-version-changes", path: `/artifacts/${artifact}/versions/1?view=changes` },
    { name: "share", path: new URL(share.url).pathname, as: "nobody" },
    { name: "messages", path: "/messages" },
    { name: "messages-new", path: "/messages?new=1" },
    { name: "message", path: `/messages/${failed?.id}` },
    { name: "inboxes", path: "/inboxes" },
    { name: "inbox", path: `/inboxes/${inbox}` },
    { name: "inbox-event", path: `/inboxes/${inbox}/events/${job?.id}` },
    { name: "keys", path: "/keys" },
    { name: "keys-new", path: "/keys?new=1" },
    { name: "keys-agents", path: "/keys?tab=agents" },
    { name: "keys-log", path: "/keys?tab=log" },
    { name: "settings", path: "/settings" },
    { name: "settings-notices", path: "/settings?tab=notices" },
    { name: "settings-developers", path: "/settings?tab=developers" },
    { name: "settings-you", path: "/settings?tab=you" },
    { name: "claim", path: claim },
    { name: "claim-signed-out", path: claim, as: "nobody" },
    { name: "claim-yours", path: `/claim/${task}` },
    { name: "claim-owned", path: `/claim/${task}`, as: "newcomer" },
    { name: "claim-missing", path: "/claim/tsk_0000000000000000000000000" },
    { name: "claim-several", path: "/claim" },
    ...(await flowPicturesOf(api, key)),
  ];
}

/** The claim page of a task created without a key. */
async function claimable(api: Api): Promise<string> {
  const { body } = await api("POST", "/api/tasks", {
    body: {
      name: "Translate the release notes into Portuguese",
      description: "Keep the tone. The glossary is attached to the last one.",
      priority: "high",
      labels: ["translation", "release"],
    },
  });
  return `/claim/${body.id}#claim_token=${body.claim_token}`;
}

async function openPalette(page: Page) {
  // Keys pressed before the scripts run are lost.
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("ControlOrMeta+k");
  const words = page.getByRole("combobox", { name: "Page, ID or name" });
  await words.fill("paym");
  await page.getByRole("option", { name: "Payments" }).waitFor();
}

async function awaitStream(page: Page) {
  // On a narrow screen only its dot is visible.
  await page.getByText("Live", { exact: true }).waitFor({ state: "attached" });
}

async function openTest(page: Page) {
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "Send a test request" }).click();
  await page.getByRole("dialog", { name: "Test request" }).waitFor();
}

async function askPurge(page: Page) {
  await page.waitForLoadState("networkidle");
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("button", { name: "Purge", exact: true }).click();
  await page.getByRole("alertdialog").waitFor();
}
