import type { BrowserContext, Page } from "playwright/test";
import { test as base } from "./fixtures";
import { type Mailbox, startMailbox } from "./mailbox";
import { makePerson, openSession, type Person, signIn } from "./people";
import { freePort, type RunningServer, startServer } from "./servers";

export { expect } from "playwright/test";

interface Fixtures {
  /** An owner of this test's organization, signed in in the test's browser and so on its `page`. */
  person: Person;
  /** A page of the same browser before anybody signs in. */
  visitor: Page;
  /** Signs another browser in, as this person. */
  signInAs: (context: BrowserContext, person: Person) => Promise<void>;
}

interface WorkerFixtures {
  mailbox: Mailbox;
  /** A server of the same database that sends its mail to the mailbox. */
  mailingServer: RunningServer;
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
  mailbox: [
    async ({ databaseUrl: _databaseUrl }, use) => {
      const mailbox = await startMailbox();
      await use(mailbox);
      await mailbox.close();
    },
    { scope: "worker" },
  ],
  mailingServer: [
    async ({ databaseUrl, mailbox }, use) => {
      const port = await freePort();
      const server = await startServer(["scripts/start.mjs"], port, {
        DATABASE_URL: databaseUrl,
        SERVER_SECRET: "0123456789abcdef0123456789abcdef",
        MAIL_TRANSPORT: "smtp",
        SMTP_URL: mailbox.url,
        DISPATCH_INTERVAL_SECONDS: "0",
      });
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
});
