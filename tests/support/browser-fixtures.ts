import type { BrowserContext, BrowserContextOptions, Page } from "playwright/test";
import { endingWithTest } from "./ending";
import { test as base, environment } from "./fixtures";
import { mailboxIn } from "./mailbox";
import { makePerson, openSession, type Person, signIn } from "./people";
import { startHoldingTarget, startTarget } from "./target";

export { expect } from "playwright/test";

interface Fixtures {
  /** An owner of this test's organization, signed in in the test's browser and so on its `page`. */
  person: Person;
  /** A page of the same browser before anybody signs in. */
  visitor: Page;
  /** Signs another browser in, as this person. */
  signInAs: (context: BrowserContext, person: Person) => Promise<void>;
  /** Opens a page of another browser in which this person is signed in, or another owner. */
  openBrowser: (options?: BrowserContextOptions, person?: Person) => Promise<Page>;
  startTarget: typeof startTarget;
  startHoldingTarget: typeof startHoldingTarget;
}

interface WorkerFixtures {
  mailbox: ReturnType<typeof mailboxIn>;
  /** A server of the same database that sends its mail to the mailbox. */
  mailingServer: { baseUrl: string };
}

/** Fixtures of the dashboard's tests. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  person: async ({ db, organization, context, baseUrl }, use) => {
    const person = await makePerson(db, organization.id);
    await signIn(context, baseUrl, await openSession(db, person.id));
    await use(person);
  },
  page: async ({ page, person: _person }, use) => {
    await use(page);
  },
  visitor: async ({ context }, use) => {
    await use(await context.newPage());
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
      await signInAs(context, person ?? (await makePerson(db, organization.id)));
      return context.newPage();
    });
    for (const context of contexts) await context.close();
  },
  startTarget: endingWithTest(startTarget, (target) => target.stop()),
  startHoldingTarget: endingWithTest(startHoldingTarget, (target) => target.stop()),
  mailbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
    async ({}, use) => {
      await use(mailboxIn(environment("TEST_MAILS")));
    },
    { scope: "worker" },
  ],
  mailingServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's names.
    async ({}, use) => {
      await use({ baseUrl: environment("TEST_MAILING_BASE_URL") });
    },
    { scope: "worker" },
  ],
});
