import { z } from "zod";
import { parseNetworks, parseProxies, parseServers } from "./address-lists";
import { parseProviders } from "./trust-list";

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must begin with postgresql://");

/**
 * Every environment variable that the service reads, with its default and meaning in words.
 * `npm run docs` makes docs/configuration.md and `.env.example` from it.
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
      "An API key with both scopes that is installed at start, in an organization named `bootstrap`. Once revoked or rotated it stays so: set a new one.",
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
  RATE_LIMIT_ANONYMOUS_CREATES: rateLimit(
    60,
    "Writes of any kind without a key a minute and address",
  ),
  RATE_LIMIT_ARRIVALS: rateLimit(
    1200,
    "Requests a minute to one webhook endpoint's capture URL or one inbox's ingest URL",
  ),
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
    schema: z.string().default("127.0.0.0/8,::1/128").transform(parseProxies),
    default: "`127.0.0.0/8,::1/128`",
    meaning:
      "Networks (CIDR, separated by commas) whose `X-Forwarded-For` is believed; `none` where no proxy is in front, so that programs on the same machine cannot choose their address.",
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
  PUBLIC_EVENTS_MAX_BYTES: {
    schema: z.coerce.number().int().min(1).default(50_000_000),
    default: "`50000000`",
    meaning:
      "How many bytes of events an endpoint or inbox without an owner keeps. The oldest events of an endpoint go; an inbox answers 429 `inbox_full`.",
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

function rateLimit(limit: number, what: string) {
  return {
    schema: z.coerce.number().int().min(1).default(limit),
    default: `\`${limit}\``,
    meaning: `${what}. Not counted in local mode.`,
  };
}
