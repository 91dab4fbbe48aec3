import { AsyncLocalStorage } from "node:async_hooks";
import cluster from "node:cluster";
import { join } from "node:path";
import type * as z from "zod";
import { isLoopback } from "@/lib/platform/addresses";
import { issueMessage } from "@/lib/platform/http/issue-message";
import { OperatorError } from "@/lib/platform/operator-error";
import { oncePerProcess } from "@/lib/platform/process";
import { environment } from "./environment";
import { localSecret } from "./local-secret";
import { fetchesKeysWithoutTls } from "./trust-list";

export type Config = ReturnType<typeof parseConfig>;

/** The origin that the current request was sent to, if it differs from the configured one. */
export const requestedOrigin = oncePerProcess(
  "config.requested-origin",
  () => new AsyncLocalStorage<string>(),
);

/** The configuration, parsed once per process. Throws `OperatorError`. */
export function config(): Config {
  return oncePerProcess("config", () => parseConfig(process.env));
}

/** Points the configuration at the embedded Postgres that the server has just started. */
export function adoptEmbeddedDatabase(url: string) {
  Object.assign(config(), { databaseUrl: url, directUrl: url, embedded: true });
}

/** Limits this process to its part of the server's database connections. */
export function adoptPoolSize(size: number) {
  Object.assign(config(), { databasePoolSize: size });
}

/** The configuration of an environment. Throws an `OperatorError`. */
export function parseConfig(env: Record<string, string | undefined>) {
  // An empty variable counts as unset: compose files and dashboards write it that way. A file with
  // Windows line ends, read by a shell or Docker, adds a carriage return to each value. Two secrets
  // stay as they are: without its last line break, one would be another secret.
  const set = Object.fromEntries(
    Object.entries(env).flatMap(([name, value = ""]) => {
      const isKept = ["SERVER_SECRET", "AGENT_AUTH_SECRET"].includes(name);
      const text = isKept ? value : value.trim();
      return text ? [[name, text]] : [];
    }),
  );
  const read: ReadVariable = (name) => parseVariable(name, set[name]);

  const port = read("PORT");
  const onVercel = set.VERCEL === "1";
  const isPreview = onVercel && set.VERCEL_ENV === "preview";
  const givenBaseUrl = baseUrlOf(read("BASE_URL"), onVercel ? set : {});
  const ownOrigins = originsOf(givenBaseUrl, port);
  const [baseUrl] = ownOrigins;
  const localMode = isLoopback(new URL(baseUrl).hostname);
  const databaseUrl = read("DATABASE_URL");
  const dataDir = read("DATA_DIR");
  const secretFile = join(dataDir, "server-secret");
  const givenSecret =
    read("SERVER_SECRET") ?? (localMode ? undefined : missingSecret("SERVER_SECRET"));
  let ownSecret = givenSecret;
  const serverSecret = () => {
    // Made on first use: a command for the database of other servers needs none.
    ownSecret ??= localSecret(secretFile);
    return ownSecret;
  };
  return {
    /** The base of URLs in responses: see lib/platform/http/own-origin.ts. */
    get baseUrl() {
      return requestedOrigin.getStore() ?? baseUrl;
    },
    /** The origins at which this server can be reached, the usual one first. */
    ownOrigins,
    /** A Vercel deployment that is not production, with several hosts, each its own origin. */
    isPreview,
    /** True if the host of the base URL is loopback. */
    localMode,
    port,
    /** The addresses to listen on. Some clients try only one of the addresses of `localhost`. */
    hosts: hostsOf(read("HOST"), localMode),
    databaseUrl,
    directUrl: otherUrl(read, "DIRECT_URL") ?? databaseUrl,
    databaseReplicaUrl: otherUrl(read, "DATABASE_REPLICA_URL"),
    /** True if the database is the embedded Postgres. */
    embedded: false,
    migrateOnStart: read("MIGRATE_ON_START"),
    databasePoolSize: read("DATABASE_POOL_SIZE"),
    webConcurrency: read("WEB_CONCURRENCY"),
    /** How many processes share the port, and so the limits on clients. */
    processes: cluster.isWorker ? (read("WEB_CONCURRENCY") ?? 1) : 1,
    shutdownDelaySeconds: read("SHUTDOWN_DELAY_SECONDS") ?? (localMode ? 0 : 5),
    dataDir,
    get serverSecret() {
      return serverSecret();
    },
    /** The file that holds the secret; undefined if `SERVER_SECRET` is set. */
    serverSecretFile: givenSecret === undefined ? secretFile : undefined,
    bootstrapApiKey: read("BOOTSTRAP_API_KEY"),
    agentAuth: parseAgentAuth(read, localMode, serverSecret),
    callerLimits: {
      key: read("RATE_LIMIT_KEY"),
      anonymousWrites: read("RATE_LIMIT_ANONYMOUS_CREATES"),
      arrivals: read("RATE_LIMIT_ARRIVALS"),
    },
    mail: parseMail(read, localMode),
    /** A URL. */
    securityContact: read("SECURITY_CONTACT") ?? `mailto:security@${new URL(baseUrl).hostname}`,
    trustedProxies: read("TRUSTED_PROXIES"),
    captureMaxBodyBytes: read("CAPTURE_MAX_BODY_BYTES"),
    inboxMaxBodyBytes: read("INBOX_MAX_BODY_BYTES"),
    inboxMaxDeliveries: read("INBOX_MAX_DELIVERIES"),
    publicEventsMaxBytes: read("PUBLIC_EVENTS_MAX_BYTES"),
    storage: {
      publicPerNetwork: localMode ? 0 : read("PUBLIC_BYTES_PER_NETWORK"),
      publicInAll: localMode ? 0 : read("PUBLIC_BYTES_MAX"),
      perOrganization: read("ORGANIZATION_BYTES_MAX"),
    },
    cronSecret: parseCronSecret(read, localMode),
    dispatchIntervalSeconds: read("DISPATCH_INTERVAL_SECONDS"),
    dispatchBudgetMs: read("DISPATCH_BUDGET_MS"),
    deliveriesMax: read("DELIVERIES_MAX"),
    deliveriesPerOrganizationMax: read("DELIVERIES_PER_ORGANIZATION_MAX"),
    deliveriesPerHostMax: read("DELIVERIES_PER_HOST_MAX"),
    messageMaxAttempts: read("MESSAGE_MAX_ATTEMPTS"),
    publicResourceTtlDays: read("PUBLIC_RESOURCE_TTL_DAYS"),
    messageRetentionDays: read("MESSAGE_RETENTION_DAYS"),
    auditRetentionDays: read("AUDIT_RETENTION_DAYS"),
    registrationRetentionDays: read("REGISTRATION_RETENTION_DAYS"),
    idempotencyRetentionSeconds: read("IDEMPOTENCY_RETENTION_HOURS") * 3600,
    deliveryAllowCidrs: read("DELIVERY_ALLOW_CIDRS"),
    /** Empty for the system's name servers. */
    dnsServers: read("DNS_SERVERS"),
    logLevel: read("LOG_LEVEL") ?? (set.NODE_ENV === "development" ? "warn" : "info"),
    metricsToken: read("METRICS_TOKEN"),
    otlpEndpoint: read("OTEL_EXPORTER_OTLP_ENDPOINT"),
    validateResponses: read("VALIDATE_RESPONSES"),
    /** True under `npm run dev`. */
    development: set.NODE_ENV === "development",
    /** On Vercel the client address comes from a platform header that clients cannot forge. */
    onVercel,
  };
}

/** The configured URL, unless it is production's in a preview; else the URL from Vercel. */
function baseUrlOf(given: string | undefined, vercel: Record<string, string | undefined>) {
  const production = httpsUrl(vercel.VERCEL_PROJECT_PRODUCTION_URL);
  if (vercel.VERCEL_ENV !== "preview") return given ?? production;
  if (given !== undefined && given !== production) return given;
  // The branch keeps its host, so URLs in responses outlive the deployment.
  return httpsUrl(vercel.VERCEL_BRANCH_URL ?? vercel.VERCEL_URL) ?? given;
}

function httpsUrl(host: string | undefined): string | undefined {
  return host === undefined ? undefined : `https://${host}`;
}

type Value<Name extends keyof typeof environment> = z.output<(typeof environment)[Name]["schema"]>;
type ReadVariable = <Name extends keyof typeof environment>(name: Name) => Value<Name>;

function parseVariable<Name extends keyof typeof environment>(
  name: Name,
  value: string | undefined,
): Value<Name> {
  const { schema } = environment[name];
  const result = schema.safeParse(value);
  // TypeScript cannot infer that this is the schema of `name`.
  if (result.success) return result.data as Value<Name>;
  const [issue] = result.error.issues;
  throw new OperatorError(
    `${name}: ${issue ? issueMessage(issue, schema, value) : "is not valid"}.`,
  );
}

/** A URL that leads to the database of `DATABASE_URL` in another way. */
function otherUrl(read: ReadVariable, name: "DIRECT_URL" | "DATABASE_REPLICA_URL") {
  const url = read(name);
  if (url === undefined || read("DATABASE_URL") !== undefined) return url;
  throw new OperatorError(`${name}: needs DATABASE_URL.`);
}

function parseAgentAuth(read: ReadVariable, localMode: boolean, serverSecret: () => string) {
  const providers = read("AGENT_AUTH_TRUSTED_PROVIDERS");
  if (!localMode && providers.some(fetchesKeysWithoutTls)) {
    throw new OperatorError("AGENT_AUTH_TRUSTED_PROVIDERS: jwks_uri must be https.");
  }
  const secret =
    read("AGENT_AUTH_SECRET") ?? (localMode ? undefined : missingSecret("AGENT_AUTH_SECRET"));
  return {
    providers,
    get secret() {
      return secret ?? serverSecret();
    },
    anonymous: read("AGENT_AUTH_ANONYMOUS"),
    serviceAuth: read("AGENT_AUTH_SERVICE_AUTH"),
    limits: {
      anonymousPerNetwork: read("RATE_LIMIT_AGENT_ANONYMOUS"),
      anonymous: read("RATE_LIMIT_AGENT_ANONYMOUS_GLOBAL"),
      identifiedPerNetwork: read("RATE_LIMIT_AGENT_IDENTIFIED"),
      identified: read("RATE_LIMIT_AGENT_IDENTIFIED_GLOBAL"),
      claims: read("RATE_LIMIT_AGENT_CLAIM"),
      revocations: read("RATE_LIMIT_AGENT_REVOKE"),
    },
  };
}

function parseMail(read: ReadVariable, localMode: boolean) {
  const transport = read("MAIL_TRANSPORT") ?? (localMode ? "console" : "none");
  const smtpUrl = read("SMTP_URL");
  if (!localMode && (transport === "console" || transport === "file")) {
    throw new OperatorError(
      `MAIL_TRANSPORT: "${transport}" exposes one-time codes and needs a loopback BASE_URL.`,
    );
  }
  if (transport === "smtp" && smtpUrl === undefined) {
    throw new OperatorError("SMTP_URL: is required with MAIL_TRANSPORT=smtp.");
  }
  return { transport, file: read("MAIL_FILE"), from: read("MAIL_FROM"), smtpUrl };
}

function parseCronSecret(read: ReadVariable, localMode: boolean) {
  const secret = read("CRON_SECRET");
  if (localMode || secret === undefined || secret.length >= CRON_SECRET_LENGTH_MIN) return secret;
  throw new OperatorError(
    `CRON_SECRET: must have at least ${CRON_SECRET_LENGTH_MIN} characters when BASE_URL is public; create one with \`openssl rand -hex 32\`.`,
  );
}

const CRON_SECRET_LENGTH_MIN = 16;

function missingSecret(name: string): never {
  throw new OperatorError(
    `${name}: is required when BASE_URL is public; create one with \`openssl rand -hex 32\`.`,
  );
}

function originsOf(given: string | undefined, port: number): [string, ...string[]] {
  if (given !== undefined) return [given];
  const [usual, ...others] = ["localhost", "127.0.0.1", "[::1]"].map(
    (host) => new URL(`http://${host}:${port}`).origin,
  );
  return [usual ?? "", ...others];
}

function hostsOf(given: string | undefined, localMode: boolean): [string, ...string[]] {
  if (given !== undefined) return [given];
  return localMode ? ["127.0.0.1", "::1"] : ["0.0.0.0"];
}
