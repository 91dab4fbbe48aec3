import { config } from "@/lib/config/config";

/** Printed at startup: the URL, the database and a first call. */
export function startupBanner(): string {
  const { baseUrl, databaseUrl, host, port, dataDir, embedded } = config();
  const database = embedded
    ? `the embedded Postgres in ${dataDir}/postgres`
    : withoutPassword(databaseUrl ?? "");
  return `
Agent Infrastructure is ready at ${baseUrl} (listening on ${host}:${port})
Database: ${database}

Try it:
  curl ${baseUrl}/api/tasks -d '{"name": "Say hello"}'
`;
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  return `${parsed.host}${parsed.pathname}`;
}
