import { once } from "node:events";
import fs from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { makeOrganization } from "./accounts";
import { selfSigned } from "./certificate";
import { startDns } from "./dns";
import { test as base, OAuth } from "./oauth";
import { makePerson, openSession } from "./people";
import {
  freePort,
  launchServer,
  makeTemporaryFolder,
  type RunningServer,
  SERVE,
  waitUntilHealthy,
} from "./servers";

export { expect } from "./oauth";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** An https server on loopback, which the tests' server trusts. */
interface DocumentSite {
  origin: string;
  /** Paths requested, in order. */
  asked: string[];
  /** Serves a path, and returns its URL. */
  serve(path: string, handler: Handler | object): string;
}

interface Fixtures {
  site: DocumentSite;
  documentServer: Pick<RunningServer, "api" | "baseUrl">;
}

/** For Client ID Metadata Documents: a server that trusts a site's certificate and a name server. */
export const test = base.extend<Fixtures>({
  site: async ({ databaseUrl }, use) => use((await startOnce(databaseUrl)).site),
  documentServer: async ({ databaseUrl }, use) => use((await startOnce(databaseUrl)).server),
  oauth: async ({ documentServer, db }, use) => {
    const organization = await makeOrganization(db);
    const person = await makePerson(db, organization.id);
    const session = await openSession(db, person.id);
    const { api, baseUrl } = documentServer;
    await use(new OAuth({ api, baseUrl, db }, { person, session, organization }));
  },
});

let started: ReturnType<typeof startBoth> | undefined;

/** For a worker, which its other tests go on with: a worker's fixture would take a worker of its own. */
function startOnce(databaseUrl: string) {
  started ??= startBoth(databaseUrl);
  return started;
}

async function startBoth(databaseUrl: string) {
  const folder = makeTemporaryFolder();
  process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  const site = await startSite(folder);
  const port = await freePort();
  const dns = await startDns({
    "private.example": { A: ["10.0.0.1"] },
    "metadata.example": { A: ["169.254.169.254"] },
    "mixed.example": { A: ["93.184.216.34", "192.168.0.1"] },
  });
  const server = launchServer([SERVE], port, {
    DATABASE_URL: databaseUrl,
    // Not `localhost`, where the documents are: the service refuses its own host.
    BASE_URL: `http://127.0.0.1:${port}`,
    SERVER_SECRET: process.env.TEST_SERVER_SECRET ?? "",
    NODE_EXTRA_CA_CERTS: path.join(folder, "cert.pem"),
    DNS_SERVERS: dns.address,
    DELIVERY_ALLOW_CIDRS: "10.0.0.0/8", // only for messages
    DISPATCH_INTERVAL_SECONDS: "0",
  });
  process.once("exit", () => server.kill("SIGKILL"));
  await waitUntilHealthy(server);
  return { site, server: { api: server.api, baseUrl: `http://127.0.0.1:${port}` } };
}

async function startSite(folder: string): Promise<DocumentSite> {
  const handlers = new Map<string, Handler | object>();
  const asked: string[] = [];
  const server = createServer(selfSigned(folder), (request, response) => {
    const url = request.url ?? "";
    asked.push(url);
    const handler = handlers.get(url);
    if (typeof handler === "function") (handler as Handler)(request, response);
    else if (handler) response.end(JSON.stringify(handler));
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    asked,
    serve(at, handler) {
      handlers.set(at, handler);
      return origin + at;
    },
  };
}
