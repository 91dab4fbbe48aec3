import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from "playwright/test";
import { endingWithTest } from "./ending";
import { test as base, environment } from "./fixtures";
import type { Body, CallOptions } from "./http";
import { waitForHydration } from "./hydration";
import { type InboxClient, makeInbox } from "./inboxes";
import { mailboxIn } from "./mailbox";
import { makePerson, openSession, type Person, signIn } from "./people";
import { startHoldingTarget, startTarget, type Target } from "./target";
import { capture, fillEndpoint, makeEndpoint } from "./webhooks";

export { expect };

/** Texts that a page must show and not run. The shorter one turns the direction of writing, too. */
export const HOSTILE = `"><script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'">`;
export const HOSTILE_TURNED = `"><img src=x onerror="document.title='taken'">\u202e`;

/** Calls of the API with the key of this test's organization, which succeed. */
export interface Own {
  /** Creates a resource of a kind, such as "tasks". */
  create: (kind: string, fields: object) => Promise<Body>;
  /** Reads a path, such as "tasks/tsk_1". */
  read: (path: string) => Promise<Body>;
  update: (path: string, fields: object) => Promise<Body>;
}

export interface CapturingEndpoint {
  id: string;
  url: string;
  /** Sends it a request, and gives the ID of the event. */
  capture: (options?: CallOptions) => Promise<string>;
}

interface Fixtures {
  own: Own;
  /** The webhook endpoint "Orders" of this test's organization. */
  endpoint: CapturingEndpoint;
  /** Makes an endpoint with so many events, which has room for more, and gives its ID. */
  fillEndpoint: (count: number, bodyBytes?: number) => Promise<string>;
  inbox: InboxClient;
  /** Reads what the page has copied. */
  clipboard: () => Promise<string>;
  /** An owner of this test's organization, signed in in the test's browser and so on its `page`. */
  person: Person;
  /** A page of the same browser before anybody signs in. */
  visitor: Page;
  /** Signs another browser in, as this person. */
  signInAs: (context: BrowserContext, person: Person) => Promise<void>;
  /** Opens a page of another browser in which this person is signed in, or another owner. */
  openBrowser: (options?: BrowserContextOptions, person?: Person) => Promise<Page>;
  startTarget: typeof startTarget;
  /** One that answers 200. */
  target: Target;
  startHoldingTarget: typeof startHoldingTarget;
  mailbox: ReturnType<typeof mailboxIn>;
  /** A server of the same database that sends its mail to the mailbox. */
  mailingServer: { baseUrl: string };
}

/** Fixtures of the dashboard's tests. */
export const test = base.extend<Fixtures>({
  own: async ({ api, key }, use) => {
    const call = async (method: string, path: string, body?: object) => {
      const response = await api(method, `/api/${path}`, { key, body });
      expect(response.status, response.text).toBeLessThan(300);
      return response.body;
    };
    await use({
      create: (kind, fields) => call("POST", kind, fields),
      read: (path) => call("GET", path),
      update: (path, fields) => call("PATCH", path, fields),
    });
  },
  endpoint: async ({ api, key }, use) => {
    const { id, url } = await makeEndpoint(api, { key, name: "Orders" });
    await use({ id, url, capture: (options) => capture(api, id, options) });
  },
  fillEndpoint: async ({ api, db, key }, use) => {
    await use(async (count, bodyBytes) => {
      const { id } = await makeEndpoint(api, { key, max_events: 10_000 });
      await fillEndpoint(db, { id, count, bodyBytes });
      return id;
    });
  },
  clipboard: async ({ page, context }, use) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await use(() => page.evaluate(() => navigator.clipboard.readText()));
  },
  inbox: async ({ api, key }, use) => use(await makeInbox(api, {}, key)),
  context: async ({ context, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) waitForHydration(context);
    // All else that a test leaves in a context is removed before the next one.
    await context.clearPermissions();
    await use(context);
  },
  person: async ({ db, organization, context, baseUrl }, use) => {
    const person = await makePerson(db, organization.id);
    await signIn(context, baseUrl, await openSession(db, person.id));
    await use(person);
  },
  page: async ({ page, person: _person }, use) => {
    await use(page);
  },
  visitor: async ({ context }, use) => {
    await use(context.pages()[0] ?? (await context.newPage()));
  },
  signInAs: async ({ db, baseUrl }, use) => {
    await use(async (context, person) => {
      await signIn(context, baseUrl, await openSession(db, person.id));
    });
  },
  openBrowser: async ({ browser, db, organization, signInAs }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (options, person) => {
      const context = await browser.newContext(options);
      contexts.push(context);
      if (options?.javaScriptEnabled !== false) waitForHydration(context);
      await signInAs(context, person ?? (await makePerson(db, organization.id)));
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
  startTarget: endingWithTest(startTarget, (target) => target.stop()),
  target: async ({ startTarget }, use) => use(await startTarget()),
  startHoldingTarget: endingWithTest(startHoldingTarget, (target) => target.stop()),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
  mailbox: async ({}, use) => use(mailboxIn(environment("TEST_MAILS"))),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
  mailingServer: async ({}, use) => use({ baseUrl: environment("TEST_MAILING_BASE_URL") }),
});
