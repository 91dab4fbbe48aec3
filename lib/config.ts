import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { join } from "node:path";
import { z } from "zod";
import { isReachedInClear, type Provider, parseProviders } from "@/lib/agent-auth/trust-list";
import { oncePerProcess } from "@/lib/process";

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgresql://");

/**
 * Every environment variable that the service reads, with its default and meaning in words. The
 * README's table and `.env.example` are tested against it.
 */
export const environment = {
  BASE_URL: {
    schema: z
      .url({ protocol: /^https?$/, error: "must be an http or https URL" })
      .transform((url) => url.replace(/\/+$/, ""))
      .optional(),
    default: "`http://localhost:$PORT`; on Vercel the production domain",
    meaning:
      "The public address of the service. Every URL in an answer is made from it, never from request headers. A loopback host means local mode, anything else public mode.",
  },
  PORT: {
    schema: z.coerce.number().int().min(1).max(65_535).default(3000),
    default: "`3000`",
    meaning: "The port that the server listens on.",
  },
  HOST: {
    schema: z.string().min(1).optional(),
    default: "`127.0.0.1` in local mode, else `0.0.0.0`",
    meaning: "The address that the server listens on.",
  },
  DATABASE_URL: {
    schema: postgresUrl.optional(),
    default: "the embedded Postgres",
    meaning:
      "A Postgres server, 15 or newer. Add `pgbouncer=true` behind a pooler that knows no prepared statements.",
  },
  DIRECT_URL: {
    schema: postgresUrl.optional(),
    default: "`DATABASE_URL`",
    meaning: "The same database without a pooler between, for migrations.",
  },
  DATABASE_POOL_SIZE: {
    schema: z.coerce.number().int().min(2).max(1000).default(10),
    default: "`10`",
    meaning: "How many database connections one process holds at most.",
  },
  DATA_DIR: {
    schema: z.string().min(1).default(".data"),
    default: "`.data`",
    meaning: "Where the embedded Postgres and the secret made in local mode live.",
  },
  SERVER_SECRET: {
    schema: z.string().min(32, "must have at least 32 characters").optional(),
    default: "local mode: made once, in `DATA_DIR`",
    meaning:
      "Encrypts what is stored for idempotent retries, signs share links, and makes the key that signs deliveries: with another secret, old links open nothing. Required in public mode, the same on all instances; `openssl rand -hex 32` makes one.",
  },
  BOOTSTRAP_API_KEY: {
    schema: z
      .string()
      .regex(/^svc_live_[!-~]{20,200}$/, "must be svc_live_ and 20 to 200 printable characters")
      .optional(),
    default: "none",
    meaning:
      "An API key with both scopes that is installed at start, in an organization named `bootstrap`.",
  },
  AGENT_AUTH_TRUSTED_PROVIDERS: {
    schema: z.string().default("[]").transform(parseProviders),
    default: "`[]`",
    meaning:
      "Identity providers whose ID-JAG assertions are believed: a JSON array of `{iss, name?, jwks_uri?, jwks?, client_id?, algs?, link_verified_email?, max_auth_age?, amr?}`.",
  },
  AGENT_AUTH_SECRET: {
    schema: z.string().min(32, "must have at least 32 characters").optional(),
    default: "local mode: derived from `SERVER_SECRET`",
    meaning:
      "Protects one-time codes at rest. Required in public mode, the same on all instances; `openssl rand -hex 32` makes one.",
  },
  AGENT_AUTH_ANONYMOUS: {
    schema: z.stringbool().default(true),
    default: "`true`",
    meaning: "Whether an agent may register without any identity, for a read-only key.",
  },
  AGENT_AUTH_SERVICE_AUTH: {
    schema: z.stringbool().default(true),
    default: "`true`",
    meaning: "Whether an agent may register with its user's e-mail address. Needs mail.",
  },
  MAIL_TRANSPORT: {
    schema: z.enum(["console", "file", "smtp", "none"]).optional(),
    default: "`console` in local mode, else `none`",
    meaning:
      "How mail with one-time codes leaves: `smtp`, or `none`; in local mode also `console` (printed) and `file`.",
  },
  MAIL_FILE: {
    schema: z.string().min(1).default(".data/mail.jsonl"),
    default: "`.data/mail.jsonl`",
    meaning: "The file to which `MAIL_TRANSPORT=file` appends one JSON object a line.",
  },
  MAIL_FROM: {
    schema: z.string().min(3).default("Agent Infrastructure <no-reply@localhost>"),
    default: "`Agent Infrastructure <no-reply@localhost>`",
    meaning: "The sender of all mail.",
  },
  SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/, error: "must be an smtp or smtps URL" }).optional(),
    default: "none",
    meaning:
      "The mail server of `MAIL_TRANSPORT=smtp`: `smtps://user:password@host:465`, or `smtp://` with STARTTLS where the server offers it.",
  },
  RATE_LIMIT_KEY: rateLimit(1200, "Requests with one API key a minute"),
  RATE_LIMIT_ANONYMOUS_CREATES: rateLimit(60, "Creates without a key a minute and address"),
  RATE_LIMIT_AGENT_ANONYMOUS: rateLimit(60, "Anonymous agent registrations an hour and address"),
  RATE_LIMIT_AGENT_ANONYMOUS_GLOBAL: rateLimit(
    1000,
    "Anonymous agent registrations an hour in all",
  ),
  RATE_LIMIT_AGENT_IDENTIFIED: rateLimit(
    60,
    "Agent registrations with an assertion or an e-mail address an hour and address",
  ),
  RATE_LIMIT_AGENT_IDENTIFIED_GLOBAL: rateLimit(
    1000,
    "Agent registrations with an assertion or an e-mail address an hour in all",
  ),
  RATE_LIMIT_AGENT_CLAIM: rateLimit(
    30,
    "Starts and completions of agent claims, each, in 10 minutes and address",
  ),
  RATE_LIMIT_AGENT_REVOKE: rateLimit(60, "Revocations a minute and address"),
  TRUSTED_PROXIES: {
    schema: z.string().default("127.0.0.0/8,::1/128").transform(parseNetworks),
    default: "`127.0.0.0/8,::1/128`",
    meaning: "Networks (CIDR, separated by commas) whose `X-Forwarded-For` is believed.",
  },
  CAPTURE_MAX_BODY_BYTES: {
    schema: z.coerce.number().int().min(1).max(50_000_000).default(1_000_000),
    default: "`1000000`",
    meaning:
      "How many bytes of a captured request's body are kept. Of a larger one the first part is; `size_bytes` tells the true size.",
  },
  INBOX_MAX_BODY_BYTES: {
    schema: z.coerce.number().int().min(0).max(100_000_000).default(1_000_000),
    default: "`1000000`",
    meaning: "The largest event that an inbox takes, in bytes. Larger ones are answered with 413.",
  },
  INBOX_MAX_DELIVERIES: {
    schema: z.coerce.number().int().min(1).max(1_000_000).default(10),
    default: "`10`",
    meaning: "After so many deliveries without an acknowledgement an inbox event is dead.",
  },
  CRON_SECRET: {
    schema: z.string().min(1).optional(),
    default: "none",
    meaning:
      "What a scheduler must send to `/api/messages/dispatch`, as `Authorization: Bearer <secret>`. Without one anybody may call it, and its results name no messages.",
  },
  DISPATCH_INTERVAL_SECONDS: {
    schema: z.coerce.number().int().min(0).max(3600).default(5),
    default: "`5`",
    meaning:
      "How often the server itself sends what is due, once it has been due for that long; 0 turns it off. Not used on Vercel.",
  },
  DISPATCH_BUDGET_MS: {
    schema: z.coerce.number().int().min(0).max(600_000).default(45_000),
    default: "`45000`",
    meaning: "How long one dispatch goes on starting deliveries. Those that run may end after it.",
  },
  DELIVERIES_MAX: {
    schema: z.coerce.number().int().min(1).max(10_000).default(50),
    default: "`50`",
    meaning: "Deliveries at once in one process.",
  },
  DELIVERIES_PER_ORGANIZATION_MAX: {
    schema: z.coerce.number().int().min(1).max(10_000).default(25),
    default: "`25`",
    meaning:
      "Deliveries at once for one organization. All public messages together count as one organization.",
  },
  DELIVERIES_PER_HOST_MAX: {
    schema: z.coerce.number().int().min(1).max(10_000).default(10),
    default: "`10`",
    meaning: "Deliveries at once to one target host and port.",
  },
  MESSAGE_MAX_ATTEMPTS: {
    schema: z.coerce.number().int().min(1).max(100).default(5),
    default: "`5`",
    meaning: "How often a message is tried before it has failed for good.",
  },
  PUBLIC_RESOURCE_TTL_DAYS: {
    schema: z.coerce.number().int().min(0).max(36_500).default(30),
    default: "`30`",
    meaning: "Days after its last write until an unclaimed public resource is removed; 0: never.",
  },
  DELIVERY_ALLOW_CIDRS: {
    schema: z.string().default("").transform(parseNetworks),
    default: "none",
    meaning:
      "Networks (CIDR, separated by commas) that are not public and that requests to addresses chosen by callers may reach all the same. 169.254.0.0/16 and fd00:ec2::/32 stay closed.",
  },
  DNS_SERVERS: {
    schema: z.string().default("").transform(parseServers),
    default: "the system's",
    meaning:
      "Name servers (addresses with an optional port, separated by commas) that resolve the targets of outbound requests.",
  },
  VALIDATE_RESPONSES: {
    schema: z.stringbool().default(false),
    default: "`false`; `npm run dev` and the tests set it",
    meaning: "Checks every answer against its published schema, and answers 500 where it differs.",
  },
} satisfies Record<string, { schema: z.ZodType; default: string; meaning: string }>;

export interface Config {
  baseUrl: string;
  /** The base URL's host is loopback: the one switch between a developer's machine and the public. */
  localMode: boolean;
  port: number;
  host: string;
  databaseUrl: string | undefined;
  directUrl: string | undefined;
  /** The database is the server's own. */
  embedded: boolean;
  databasePoolSize: number;
  dataDir: string;
  serverSecret: string;
  bootstrapApiKey: string | undefined;
  agentAuth: {
    providers: readonly Provider[];
    secret: string;
    anonymous: boolean;
    serviceAuth: boolean;
    limits: { anonymous: PerAddress; identified: PerAddress; claim: number; revoke: number };
  };
  callerLimits: { key: number; anonymousCreates: number };
  mail: {
    transport: "console" | "file" | "smtp" | "none";
    file: string;
    from: string;
    smtpUrl: string | undefined;
  };
  trustedProxies: BlockList;
  captureMaxBodyBytes: number;
  inboxMaxBodyBytes: number;
  inboxMaxDeliveries: number;
  cronSecret: string | undefined;
  dispatchIntervalSeconds: number;
  dispatchBudgetMs: number;
  deliveriesMax: number;
  deliveriesPerOrganizationMax: number;
  deliveriesPerHostMax: number;
  messageMaxAttempts: number;
  publicResourceTtlDays: number;
  deliveryAllowCidrs: BlockList;
  /** Empty: the name servers of the system. */
  dnsServers: string[];
  validateResponses: boolean;
  /** On Vercel the platform's own header names the client, and the platform overwrites forgeries. */
  onVercel: boolean;
}

interface PerAddress {
  perAddress: number;
  global: number;
}

/**
 * The configuration, parsed at its first use and then the same for the whole process. Throws a
 * `ConfigError` that names the variable and what is allowed.
 */
export function config(): Config {
  return oncePerProcess("config", () => parseConfig(process.env));
}

/** Tells the process the address of the embedded Postgres that the server has just started. */
export function adoptEmbeddedDatabase(url: string) {
  Object.assign(config(), { databaseUrl: url, directUrl: url, embedded: true });
}

export class ConfigError extends Error {}

/** Reads a configuration out of an environment. Throws a `ConfigError`. */
function parseConfig(env: Record<string, string | undefined>): Config {
  // An empty variable is an unset one: that is how compose files and dashboards write it.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const read = <Name extends keyof typeof environment>(name: Name) =>
    parseVariable(name, set[name]) as z.output<(typeof environment)[Name]["schema"]>;

  const port = read("PORT");
  const vercelDomain = set.VERCEL_PROJECT_PRODUCTION_URL;
  const onVercel = set.VERCEL === "1";
  const baseUrl =
    read("BASE_URL") ??
    (onVercel && vercelDomain ? `https://${vercelDomain}` : `http://localhost:${port}`);
  const localMode = isLoopback(new URL(baseUrl).hostname);
  const dataDir = read("DATA_DIR");
  const databaseUrl = read("DATABASE_URL");
  const serverSecret = read("SERVER_SECRET") ?? localSecret(localMode, dataDir);
  const providers = read("AGENT_AUTH_TRUSTED_PROVIDERS");
  const mail = {
    transport: read("MAIL_TRANSPORT") ?? (localMode ? "console" : "none"),
    file: read("MAIL_FILE"),
    from: read("MAIL_FROM"),
    smtpUrl: read("SMTP_URL"),
  };
  const agentAuthSecret = read("AGENT_AUTH_SECRET") ?? (localMode ? serverSecret : undefined);
  if (agentAuthSecret === undefined) {
    throw new ConfigError(
      "AGENT_AUTH_SECRET: is required when BASE_URL is public; `openssl rand -hex 32` makes one.",
    );
  }
  if (!localMode && (mail.transport === "console" || mail.transport === "file")) {
    throw new ConfigError(
      `MAIL_TRANSPORT: "${mail.transport}" shows one-time codes; it is for a loopback BASE_URL only.`,
    );
  }
  if (mail.transport === "smtp" && mail.smtpUrl === undefined) {
    throw new ConfigError("SMTP_URL: is required with MAIL_TRANSPORT=smtp.");
  }
  if (!localMode && providers.some(isReachedInClear)) {
    throw new ConfigError("AGENT_AUTH_TRUSTED_PROVIDERS: jwks_uri must be https.");
  }
  return {
    baseUrl,
    localMode,
    port,
    host: read("HOST") ?? (localMode ? "127.0.0.1" : "0.0.0.0"),
    databaseUrl,
    directUrl: read("DIRECT_URL") ?? databaseUrl,
    embedded: false,
    databasePoolSize: read("DATABASE_POOL_SIZE"),
    dataDir,
    serverSecret,
    bootstrapApiKey: read("BOOTSTRAP_API_KEY"),
    agentAuth: {
      providers,
      secret: agentAuthSecret,
      anonymous: read("AGENT_AUTH_ANONYMOUS"),
      serviceAuth: read("AGENT_AUTH_SERVICE_AUTH"),
      limits: {
        anonymous: {
          perAddress: read("RATE_LIMIT_AGENT_ANONYMOUS"),
          global: read("RATE_LIMIT_AGENT_ANONYMOUS_GLOBAL"),
        },
        identified: {
          perAddress: read("RATE_LIMIT_AGENT_IDENTIFIED"),
          global: read("RATE_LIMIT_AGENT_IDENTIFIED_GLOBAL"),
        },
        claim: read("RATE_LIMIT_AGENT_CLAIM"),
        revoke: read("RATE_LIMIT_AGENT_REVOKE"),
      },
    },
    callerLimits: {
      key: read("RATE_LIMIT_KEY"),
      anonymousCreates: read("RATE_LIMIT_ANONYMOUS_CREATES"),
    },
    mail,
    trustedProxies: read("TRUSTED_PROXIES"),
    captureMaxBodyBytes: read("CAPTURE_MAX_BODY_BYTES"),
    inboxMaxBodyBytes: read("INBOX_MAX_BODY_BYTES"),
    inboxMaxDeliveries: read("INBOX_MAX_DELIVERIES"),
    cronSecret: read("CRON_SECRET"),
    dispatchIntervalSeconds: read("DISPATCH_INTERVAL_SECONDS"),
    dispatchBudgetMs: read("DISPATCH_BUDGET_MS"),
    deliveriesMax: read("DELIVERIES_MAX"),
    deliveriesPerOrganizationMax: read("DELIVERIES_PER_ORGANIZATION_MAX"),
    deliveriesPerHostMax: read("DELIVERIES_PER_HOST_MAX"),
    messageMaxAttempts: read("MESSAGE_MAX_ATTEMPTS"),
    publicResourceTtlDays: read("PUBLIC_RESOURCE_TTL_DAYS"),
    deliveryAllowCidrs: read("DELIVERY_ALLOW_CIDRS"),
    dnsServers: read("DNS_SERVERS"),
    validateResponses: read("VALIDATE_RESPONSES"),
    onVercel,
  };
}

function rateLimit(limit: number, what: string) {
  return {
    schema: z.coerce.number().int().min(1).default(limit),
    default: `\`${limit}\``,
    meaning: `${what}. Not counted in local mode.`,
  };
}

function parseVariable(name: keyof typeof environment, value: string | undefined) {
  const result = environment[name].schema.safeParse(value);
  if (result.success) return result.data;
  throw new ConfigError(`${name}: ${result.error.issues[0]?.message ?? "is not valid"}.`);
}

function isLoopback(hostname: string) {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** Two processes may start at once: the first to create the file decides, the other reads it. */
function localSecret(localMode: boolean, dataDir: string) {
  if (!localMode) {
    throw new ConfigError(
      "SERVER_SECRET: is required when BASE_URL is public; `openssl rand -hex 32` makes one.",
    );
  }
  const file = join(dataDir, "server-secret");
  mkdirSync(dataDir, { recursive: true });
  try {
    const secret = randomBytes(32).toString("hex");
    writeFileSync(file, secret, { flag: "wx", mode: 0o600 });
    return secret;
  } catch {
    return readFileSync(file, "utf8");
  }
}

function parseNetworks(list: string, context: z.RefinementCtx) {
  const networks = new BlockList();
  for (const entry of list.split(",").map((part) => part.trim())) {
    if (entry === "") continue;
    const [address = "", length] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    const longest = family === "ipv6" ? 128 : 32;
    const bits = length === undefined ? longest : Number(length);
    if (isIP(address) === 0 || !Number.isInteger(bits) || bits < 0 || bits > longest) {
      context.addIssue(`"${entry}" is not a network such as 10.0.0.0/8`);
      return z.NEVER;
    }
    networks.addSubnet(address, bits, family);
  }
  return networks;
}

function parseServers(list: string, context: z.RefinementCtx) {
  const servers = list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  for (const server of servers) {
    const [, bracketed, plain] = /^(?:\[(.*)\]|([^:]*))(?::\d{1,5})?$/.exec(server) ?? [];
    if (isIP(bracketed ?? plain ?? server) !== 0 || isIP(server) === 6) continue;
    context.addIssue(
      `"${server}" is not an address such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53`,
    );
    return z.NEVER;
  }
  return servers;
}
