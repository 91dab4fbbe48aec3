import { config } from "@/lib/config/config";

/** What a person reads when the server is up: where it is, what it stores in, a first call. */
export function welcome(): string {
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
