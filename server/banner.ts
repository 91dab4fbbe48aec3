import { config } from "@/lib/platform/config/config";

/** The startup message: the URL, the database and a first call. */
export function startupBanner(processes: number): string {
  const { baseUrl, databaseUrl, hosts, port, dataDir, embedded } = config();
  const database = embedded
    ? `the embedded Postgres in ${dataDir}/postgres`
    : withoutPassword(databaseUrl ?? "");
  const listening = `listening on ${hosts[0]}:${port}${processes > 1 ? `, ${processes} processes` : ""}`;
  return `
Agent Infrastructure is ready at ${baseUrl} (${listening})
Database: ${database}

Try it:
  curl ${baseUrl}/api/tasks -d '{"name": "Say hello"}'
`;
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  return `${parsed.host}${parsed.pathname}`;
}
