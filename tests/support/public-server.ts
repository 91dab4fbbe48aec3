import { test as base } from "./fixtures";
import { randomText } from "./keys";
import { freePort, startServer } from "./servers";

export { expect } from "./fixtures";

/** With a public server, which limits what a local one does not. */
export const test = base.extend<{ publicUrl: string }>({
  publicUrl: async ({ databaseUrl }, use) => {
    const server = await startServer(["scripts/start.mjs"], await freePort(), {
      DATABASE_URL: databaseUrl,
      BASE_URL: "https://service.example",
      HOST: "127.0.0.1",
      SERVER_SECRET: process.env.TEST_SERVER_SECRET ?? "",
      AGENT_AUTH_SECRET: randomText(40),
      // Otherwise it would refuse the local targets of other tests' messages.
      DISPATCH_INTERVAL_SECONDS: "0",
    });
    await use(server.baseUrl);
    await server.stop();
  },
});
