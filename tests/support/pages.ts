import { expect, type Locator, type Page } from "playwright/test";
import type { CapturingEndpoint } from "./browser-fixtures";
import { keySession } from "./forms";
import type { Api, CallOptions } from "./http";
import { inboxClient } from "./inboxes";
import { signIn } from "./people";
import { FORM } from "./questions";

/** What would run, or show an image, where it is not treated as text. */
const HOSTILE = `"><script>window.isTaken = 1</script><img src=x onerror="window.isTaken = 1">\u202e{{7*7}}`;

/** Without the character that changes the direction of text, which no header may have. */
const HOSTILE_HEADER = HOSTILE.replace("\u202e", "");

/** Nothing of it can be broken. */
const WIDE = "x".repeat(200);

/** The path of every page that a signed-in person can open, with hostile content on each. */
export async function everyPage(api: Api, key: string): Promise<string[]> {
  const make = async (path: string, body: object, withKey = true) =>
    (await api("POST", path, { ...(withKey && { key }), body })).body;
  const due_at = Math.floor(Date.now() / 1000) - 3600;
  const task = await make("/api/tasks", {
    name: `A task ${HOSTILE}`,
    description: `${HOSTILE}\n\nhttps://example.com/${WIDE}\n\n- [ ] A step\n\n~~~\n${WIDE}\n~~~`,
    priority: "critical",
    due_at,
    labels: ["in-progress", HOSTILE.slice(0, 90)],
    external_id: HOSTILE,
  });
  const open = await make("/api/tasks", { name: `A public task ${HOSTILE}` }, false);
  const endpoint = await make("/api/webhooks", {
    name: `An endpoint ${HOSTILE}`,
    description: HOSTILE,
  });
  const hostile = {
    body: { a: [1, "b"], [HOSTILE]: HOSTILE },
    query: { [HOSTILE]: HOSTILE },
    headers: { "x-hostile": HOSTILE_HEADER },
  };
  const event = (await api("POST", `/api/catch/${endpoint.id}/below`, hostile)).body;
  const unused = await make("/api/webhooks", { name: "An unused endpoint" });
  const artifact = await make("/api/artifacts", {
    name: `A document ${HOSTILE}`,
    content: "# Hello",
  });
  const share = await make(`/api/artifacts/${artifact.id}/share`, {});
  await api("PATCH", `/api/artifacts/${artifact.id}`, { key, body: { content: "# Hello, you" } });
  const message = await make("/api/messages", {
    url: "https://example.com/",
    headers: { "x-one": HOSTILE_HEADER },
    body: HOSTILE,
    delay_seconds: 3600,
  });
  const inbox = await make("/api/inboxes", { name: `An inbox ${HOSTILE}` });
  const job = (await api("POST", `/api/inboxes/${inbox.id}/events`, hostile)).body;
  const questions = await make("/api/inboxes", { name: "Questions" });
  const queue = inboxClient(api, questions.id, key);
  await queue.ingest({ body: { question: 1 } });
  const asked = await queue.receiveOne();
  await make(`${queue.path}/events/${asked.id}/reply?lease_id=${asked.lease_id}`, {
    answer: HOSTILE,
  });
  const forwarding = await make("/api/webhooks", { name: "A forwarding endpoint" });
  const forward = { key, body: { inbox_id: inbox.id } };
  await api("PUT", `/api/webhooks/${forwarding.id}/forward`, forward);
  const forwarded = (await api("POST", `/api/catch/${forwarding.id}/path`, { body: { a: 1 } }))
    .body;
  await make("/api/tasks", { name: "From an event", external_id: forwarded.event_id });
  const schedule = await make("/api/schedules", {
    name: `A schedule ${HOSTILE}`,
    cron: "*/20 * * * *",
    timezone: "Europe/Berlin",
    target: { inbox_event: { inbox_id: inbox.id, body: '{"job": 2}' } },
  });
  await make(`/api/schedules/${schedule.id}/run`, {});
  const question = await make("/api/questions", {
    prompt: `A question ${HOSTILE}`,
    kind: "choice",
    options: [
      { id: "one", label: HOSTILE },
      { id: "two", label: "Two" },
    ],
    context: `# Context\n\n${HOSTILE}`,
  });
  const form = await make("/api/questions", FORM);
  return [
    "/questions",
    "/questions?new=1",
    `/questions/${form.id}`,
    `/questions/${question.id}`,
    `/questions/${question.id}?edit=1`,
    new URL(question.answer_url).pathname,
    "/webhooks",
    "/webhooks?new=1",
    `/webhooks/${endpoint.id}`,
    `/webhooks/${unused.id}`,
    `/webhooks/${endpoint.id}?edit=1`,
    `/webhooks/${endpoint.id}/events/${event.event_id}`,
    `/webhooks/${endpoint.id}/events/${event.event_id}?body=hex`,
    `/webhooks/${endpoint.id}/replays`,
    `/webhooks/compare/${endpoint.id}`,
    `/webhooks/${forwarding.id}`,
    `/webhooks/${forwarding.id}/events/${forwarded.event_id}?tab=journey`,
    `/webhooks/${endpoint.id}/events/${event.event_id}?tab=headers`,
    `/webhooks/${endpoint.id}/events/${event.event_id}?tab=query`,
    `/webhooks/${endpoint.id}/events/${event.event_id}?tab=replays`,
    "/artifacts",
    "/artifacts?new=1",
    `/artifacts/${artifact.id}`,
    `/artifacts/${artifact.id}?edit=1`,
    `/artifacts/${artifact.id}?view=source`,
    `/artifacts/${artifact.id}/versions/1`,
    `/artifacts/${artifact.id}/versions/1?view=source`,
    `/artifacts/${artifact.id}/versions/1?view=changes`,
    "/messages",
    "/messages?new=1",
    `/messages/${message.id}`,
    `/messages/${message.id}?tab=body`,
    `/messages/${message.id}?tab=headers`,
    `/messages/${message.id}?edit=1`,
    "/inboxes",
    "/inboxes?new=1",
    `/inboxes/${inbox.id}`,
    `/inboxes/${inbox.id}?edit=1`,
    `/inboxes/${inbox.id}?event=${job.id}`,
    `/inboxes/${inbox.id}?event=${job.id}&body=raw`,
    `/inboxes/${inbox.id}?event=${job.id}&tab=journey`,
    `/inboxes/${inbox.id}?event=iev_gone`,
    `/inboxes/${questions.id}`,
    `/inboxes/${questions.id}?event=${asked.id}`,
    "/schedules",
    "/schedules?span=week",
    "/schedules?new=1",
    `/schedules/${schedule.id}`,
    `/schedules/${schedule.id}?edit=1`,
    "/dashboard",
    "/tasks",
    "/tasks?view=board",
    "/tasks?new=1",
    `/tasks/${task.id}`,
    `/tasks/${task.id}?edit=1`,
    `/tasks/${task.id}?tab=notes`,
    `/tasks/${task.id}?tab=history`,
    `/tasks/tsk_missing`,
    "/keys",
    "/keys?new=1",
    "/keys?tab=agents",
    "/keys?tab=log&about=keys",
    `/oauth/authorize?${new URLSearchParams({
      response_type: "code",
      client_id: "agent-infra-cli",
      redirect_uri: "http://127.0.0.1:1/callback",
      code_challenge: "0123456789012345678901234567890123456789012",
      code_challenge_method: "S256",
    })}`,
    "/oauth/authorize",
    "/oauth/device",
    "/oauth/device?user_code=BCDF-GHJK",
    "/settings",
    "/settings?tab=notices",
    "/settings?tab=developers",
    "/settings?tab=you",
    "/settings/delete-organization",
    "/settings/delete-account",
    "/claim",
    `/claim/${open.id}`,
    `/claim/${task.id}`,
    `/claim/${task.id}?claimed=1`,
    "/claim/tsk_0000000000000000000000000",
    "/claim/nonsense",
    "/",
    new URL(share.url).pathname,
  ];
}

/** Signs in with a key, as somebody does who is not a member. */
export async function signInWithKey(page: Page, baseUrl: string, key: string) {
  const cookie = await keySession(baseUrl, key);
  await signIn(page.context(), baseUrl, cookie.replace("session=", ""));
}

/** Submits a form again while the first request is still held, and returns the requests that were sent. */
export async function submitTwice(page: Page, name: string): Promise<string[]> {
  const { posts, release } = await holdPosts(page);
  const sent = page.waitForRequest((request) => request.method() === "POST");
  const button = page.getByRole("button", { name });
  await button.click();
  await sent;
  await button.and(page.locator('[aria-disabled="true"]')).waitFor();
  await button.dispatchEvent("click");
  await button.press("Enter");
  release();
  return posts;
}

/** Holds POST requests until released; `posts` are their URLs. */
export async function holdPosts(page: Page) {
  const posts: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*", async (route) => {
    if (route.request().method() === "POST") {
      posts.push(route.request().url());
      await released;
    }
    await route.continue();
  });
  return { posts, release };
}

/**
 * Opens a page without its scripts. The returned function loads them, and waits until React has the
 * element.
 */
export async function openUnhydrated(page: Page, path: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*.js*", (route) => released.then(() => route.continue()));
  await page.goto(path, { waitUntil: "commit" });
  return async (part: Locator) => {
    release();
    await part.evaluate(async (element) => {
      while (!Object.keys(element).some((name) => name.startsWith("__react")))
        await new Promise(requestAnimationFrame);
      // React may not have committed it yet.
      await new Promise((resolve) => requestIdleCallback(resolve));
    });
    await page.unrouteAll();
  };
}

/** Sets the page's width, and waits until the page has it. */
export async function resize(page: Page, width: number) {
  await page.setViewportSize({ width, height: 800 });
  await page.waitForFunction((expected) => innerWidth === expected, width);
}

/** Sets the page's visibility, as switching tabs does. */
export async function show(page: Page, state: "hidden" | "visible") {
  await page.evaluate((visibility) => {
    Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, state);
}

/** Selects text of the page, as somebody who reads it does: no row may move until it ends. */
export async function selectText(page: Page) {
  await page.evaluate(() => {
    getSelection()?.selectAllChildren(document.querySelector("h1") ?? document.body);
  });
}

/** Starts recording layout shifts that no input caused. */
export async function watchShifts(page: Page) {
  await page.evaluate(() => {
    const root = document.documentElement;
    root.dataset.shifts = "[]";
    new PerformanceObserver((list) => {
      const moved = list.getEntries().flatMap((entry) => {
        const { sources } = entry as PerformanceEntry & { sources: { node: Node | null }[] };
        return sources.map(({ node }) => node?.textContent ?? node?.nodeName ?? "gone");
      });
      root.dataset.shifts = JSON.stringify([...JSON.parse(root.dataset.shifts ?? "[]"), ...moved]);
    }).observe({ type: "layout-shift" });
  });
}

/** The texts of the elements that have shifted since `watchShifts`. */
export async function shiftsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => JSON.parse(document.documentElement.dataset.shifts ?? ""));
}

/** Captures a request, opens its event, perhaps with a query such as `body=raw`, and gives the event's path. */
export async function openEvent(
  page: Page,
  endpoint: CapturingEndpoint,
  options: CallOptions,
  view?: string,
): Promise<string> {
  const path = `/webhooks/${endpoint.id}/events/${await endpoint.capture(options)}`;
  await page.goto(view ? `${path}?${view}` : path);
  return path;
}

/** Opens the menu of a page's or pane's further actions, or of a list's. */
export async function openMenu(scope: Page | Locator, name = "More actions") {
  await scope.getByRole("button", { name }).click();
}

/** Presses Tab until the element has the focus, as somebody without a mouse would. */
export async function tabTo(element: Locator) {
  const isFocused = () => element.evaluate((node) => node === document.activeElement);
  for (let presses = 0; !(await isFocused()); presses += 1) {
    expect(presses, "Tab does not lead there").toBeLessThan(80);
    await element.page().keyboard.press("Tab");
  }
}
