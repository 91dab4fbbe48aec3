import type { BrowserContext, Page } from "playwright/test";
import { expect, test } from "../support/fixtures";
import type { Api } from "../support/http";

/** Anyone can write an artifact. Opened by a signed-in person, it cannot reach their data. */

const COOKIE = "session-of-a-signed-in-person";

/** A document that tries every way to reach the outside, and reports each result or "blocked". */
const HOSTILE = `<!doctype html><title>hostile</title>
<form id="form" method="post" target="_top" action="/form-was-here"><input name="a"></form>
<a id="link" href="/link-was-here" target="_top">top</a>
<script>
const tries = {
  cookie: () => document.cookie,
  localStorage: () => localStorage.getItem("secret"),
  sessionStorage: () => sessionStorage.length,
  indexedDB: () => new Promise((ok, no) => { const open = indexedDB.open("x"); open.onsuccess = () => ok("opened"); open.onerror = no; }),
  caches: () => caches.keys(),
  worker: () => navigator.serviceWorker.register("/sw.js"),
  origin: () => { if (origin !== "null") return origin; throw new Error("opaque"); },
  credentials: () => fetch("/api/tasks", { credentials: "include" }).then((answer) => answer.text()),
  page: () => fetch("/", { credentials: "include", mode: "cors" }).then((answer) => answer.text()),
  parent: () => { if (parent === window) throw new Error("none"); return parent.document.title; },
  top: () => { if (top === window) throw new Error("none"); return top.document.title; },
  storageAccess: () => document.requestStorageAccess().then(() => document.cookie),
  frame: () => new Promise((ok, no) => {
    const frame = document.createElement("iframe");
    frame.src = "/api/health";
    frame.onload = () => { try { ok(frame.contentWindow.document.body.textContent); } catch (error) { no(error); } };
    document.body.append(frame);
  }),
  domain: () => { document.domain = "localhost"; return document.domain; },
  popup: () => {
    const popup = window.open("/api/health");
    if (!popup) throw new Error("no window");
    // Its first, empty page is the opener's own: the answer is what comes after it.
    return new Promise((ok, no) => {
      const end = (tell, what) => { clearInterval(looking); popup.close(); tell(what); };
      const looking = setInterval(() => {
        try { const text = popup.document.body.textContent; if (text) end(ok, text); }
        catch (error) { end(no, error); }
      }, 20);
    });
  },
};
(async () => {
  const got = {};
  for (const [name, attempt] of Object.entries(tries)) {
    try { got[name] = "GOT " + String(await attempt()); } catch { got[name] = "refused"; }
  }
  if (window !== top) {
    for (const go of [
      () => { top.location.href = "/top-was-here"; },
      () => { parent.location = "/parent-was-here"; },
      () => { window.open("/open-was-here", "_top"); },
      () => { document.getElementById("form").submit(); },
      () => { document.getElementById("link").click(); },
    ]) { try { go(); } catch {} }
  }
  window.report = got;
})();
</script>`;

/** What a browser says when a sandboxed frame tries to lead the page elsewhere. */
const STOPPED = /Unsafe attempt to initiate navigation/;
const TOP_TRIES = [...HOSTILE.matchAll(/-was-here/g)].length;

const NAMES = [...HOSTILE.matchAll(/^ {2}(\w+): \(\)/gm)].map((match) => match[1] ?? "");

test("A hostile HTML artifact opened raw cannot reach cookies, storage or the API", async ({
  api,
  baseUrl,
  context,
  page,
}) => {
  await signIn(context, page, baseUrl);
  const sent = requestsOf(context);
  const { raw_url } = await makeArtifact(api);
  await page.goto(raw_url);
  expect(await reportOf(page)).toEqual(allRefused());
  expect(await withCookie(sent, raw_url)).toEqual([]);
});

for (const [title, path] of [
  ["on the share page", ""],
  ["in the preview that the share page frames", "/view"],
  ["raw through its share link", "/raw"],
] as const) {
  test(`A hostile HTML artifact opened ${title} cannot reach the reader's data`, async ({
    api,
    baseUrl,
    context,
    page,
  }) => {
    await signIn(context, page, baseUrl);
    const sent = requestsOf(context);
    const url = (await shareArtifact(api)) + path;
    const stopped: string[] = [];
    page.on("console", (message) => {
      if (STOPPED.test(message.text())) stopped.push(message.text());
    });
    await page.goto(url);
    const document = path === "" ? await framedDocument(page) : page;
    expect(await reportOf(document)).toEqual(allRefused());
    // Inside the frame it tries to navigate the top window; the browser logs each block.
    await expect.poll(() => stopped.length).toBe(path === "" ? TOP_TRIES : 0);
    expect(page.url()).toBe(url);
    expect(await withCookie(sent, new URL(url).pathname)).toEqual([]);
    expect(sent.filter(({ url: each }) => /was-here/.test(each))).toEqual([]);
  });
}

test("A hostile HTML artifact cannot leave its frame for another site", async ({ api, page }) => {
  const content = `<meta http-equiv="refresh" content="0; url=https://example.invalid/phish"><p>here</p>`;
  const url = await shareArtifact(api, content);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const refused = page.waitForEvent("console", (message) => /frame-src/.test(message.text()));
  await page.goto(url);
  await refused;
  expect(asked.filter((each) => each.includes("example.invalid"))).toEqual([]);
});

test("HTML in a Markdown artifact cannot run scripts on the share page", async ({ api, page }) => {
  const content = `# Title\n\n<script>document.title = "ran"</script>\n\n<img src=x onerror="document.title = 'ran'">\n`;
  const url = await shareArtifact(api, content, "markdown");
  await page.goto(url);
  const frame = page.frameLocator("iframe");
  await expect(frame.locator("h1")).toHaveText("Title");
  await expect(frame.locator("script")).toHaveCount(0);
  expect(await page.locator("iframe").getAttribute("sandbox")).toBe(
    "allow-popups allow-popups-to-escape-sandbox",
  );
  await expect(page).toHaveTitle("Hostile");
});

async function signIn(context: BrowserContext, page: Page, baseUrl: string) {
  await context.addCookies([
    { name: "session", value: COOKIE, url: baseUrl, sameSite: "Lax" },
    { name: "readable", value: COOKIE, url: baseUrl, sameSite: "Lax" },
  ]);
  await page.goto(`${baseUrl}/api/health`);
  await page.evaluate((secret) => localStorage.setItem("secret", secret), COOKIE);
}

async function makeArtifact(api: Api, content = HOSTILE, format = "html") {
  return (await api("POST", "/api/artifacts", { body: { name: "Hostile", content, format } })).body;
}

async function shareArtifact(api: Api, content?: string, format?: string) {
  const { id } = await makeArtifact(api, content, format);
  return (await api("POST", `/api/artifacts/${id}/share`)).body.url;
}

interface Sent {
  url: string;
  opensWindow: boolean;
  headers: Promise<Record<string, string>>;
}

function requestsOf(context: BrowserContext): Sent[] {
  const sent: Sent[] = [];
  context.on("request", (request) => {
    const url = request.url();
    // A window that the document opens is a navigation as a stranger's link is (SameSite=Lax), and is
    // soon closed; that nothing of it can be read is what the report says.
    const opensWindow = request.isNavigationRequest() && url.endsWith("/api/health");
    const headers = opensWindow ? Promise.resolve({}) : request.allHeaders();
    // Not all are read, and those of a closed page cannot be.
    headers.catch(() => undefined);
    sent.push({ url, opensWindow, headers });
  });
  return sent;
}

/** What carried the session, but for what the person opened: the page, its frame, its scripts. */
async function withCookie(sent: Sent[], opened: string) {
  const urls: string[] = [];
  for (const { url, opensWindow, headers } of sent) {
    const path = new URL(url).pathname;
    const own = [opened, "/_next/", "/icon.svg"].some((start) => path.startsWith(start));
    if (own || opensWindow) continue;
    if ((await headers).cookie?.includes(COOKIE)) urls.push(url);
  }
  return urls;
}

async function framedDocument(page: Page) {
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  if (!frame) throw new Error("The share page has no frame.");
  return frame;
}

async function reportOf(document: Pick<Page, "waitForFunction">) {
  const handle = await document.waitForFunction(
    () => (window as { report?: Record<string, string> }).report,
  );
  return handle.jsonValue();
}

function allRefused() {
  expect(NAMES.length).toBeGreaterThan(12);
  return Object.fromEntries(NAMES.map((name) => [name, "refused"]));
}
