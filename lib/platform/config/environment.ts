import * as z from "zod";
import { rateLimits, retention, storageLimits } from "./limits";
import { SECRET_LENGTH_MIN } from "./local-secret";
import { parseProviders } from "./trust-list";
import {
  bool,
  flag,
  integer,
  optional,
  parseDatabaseUrl,
  parseNetworks,
  parseProxies,
  parseServers,
  type Variable,
  whole,
} from "./variable";

const postgresUrl = z.string().transform(parseDatabaseUrl);
const secret = z
  .string()
  .min(SECRET_LENGTH_MIN, `must have at least ${SECRET_LENGTH_MIN} characters`);
/** Sent in a header, which carries other characters in different ways or not at all. */
const bearer = z.string().regex(/^[ -~]+$/, "must have printable ASCII characters only");

/**
 * Every environment variable that the service reads, with its default and meaning in words.
 * `npm run docs` makes docs/configuration.md and `.env.example` from it.
 */
export const environment = {
  BASE_URL: {
    schema: z
      .string()
      .refine(
        isOrigin,
        "must be http:// or https:// and a host, without a path or a slash at the end",
      )
      .transform((url) => new URL(url).origin)
      .optional(),
    default: "`http://localhost:$PORT`; on Vercel the production domain, in previews the branch's",
    meaning:
      "The public address of the service. URLs in responses are built from it, never from request headers. If it is unset, a request to a loopback host on the server's port gets URLs with that host. A loopback host means local mode, any other public mode.",
  },
  PORT: integer({ min: 1, max: 65_535, default: 3000 }, "The port to listen on."),
  HOST: {
    schema: z.string().optional(),
    default: "`127.0.0.1` and `::1` in local mode, else `0.0.0.0`",
    meaning: "The address to listen on.",
  },
  DATABASE_URL: {
    schema: postgresUrl.optional(),
    default: "the embedded Postgres",
    meaning:
      "A Postgres server, 15 or newer. Add `pgbouncer=true` behind a pooler that does not support prepared statements.",
  },
  DIRECT_URL: {
    schema: postgresUrl.optional(),
    default: "`DATABASE_URL`",
    meaning: "The same database without a pooler, for migrations, backups and `LISTEN`.",
  },
  DATABASE_REPLICA_URL: optional(
    postgresUrl,
    "A streaming replica of `DATABASE_URL`, for lists, searches, exports, counts and the overview: see [Read replica](scaling.md#read-replica).",
  ),
  MIGRATE_ON_START: flag(
    "Whether `npm start` migrates the database. With `false`, run `npm run migrate` first. Both then accept a newer schema; the server accepts no older one.",
  ),
  DATABASE_POOL_SIZE: {
    schema: whole(2, 1000).optional(),
    default: "`10`, with several processes 10 for each and 10 for the scheduler, but at most 80",
    meaning:
      "The maximum number of database connections of the server, over all its processes. Each process has at least 2.",
  },
  WEB_CONCURRENCY: {
    schema: whole(1, 32).optional(),
    default: "`1` on up to 2 cores, else half the cores, at most `8`",
    meaning:
      "How many processes of this server answer requests, all on one port. Not used on Vercel or in `npm run dev`.",
  },
  SHUTDOWN_DELAY_SECONDS: {
    schema: whole(0, 300).optional(),
    default: "`0` in local mode, else `5`",
    meaning:
      "How long a stopping server keeps accepting requests while `/readyz` returns 503. Set it to more than load balancers need to notice.",
  },
  DATA_DIR: {
    schema: z.string().default(".data"),
    default: "`.data`",
    meaning: "The folder of the embedded Postgres and of the secret that local mode generates.",
  },
  SERVER_SECRET: {
    schema: secret.optional(),
    default: "local mode: made once, in `DATA_DIR`",
    meaning:
      "Signs share links and reply URLs, encrypts responses stored for `Idempotency-Key` and the secrets that verify webhooks and that forwards send, and derives the key that signs deliveries. Changing it invalidates every share link and reply URL. Webhook verification fails, and forwards with secret headers send nothing, until you set those secrets again. Required in public mode, the same on all servers; `openssl rand -hex 32` makes one.",
  },
  BOOTSTRAP_API_KEY: optional(
    z
      .string()
      .regex(/^svc_live_[!-~]{20,200}$/, "must be svc_live_ and 20 to 200 printable characters"),
    "An API key with both scopes, installed at start in an organization named `bootstrap`. Once revoked or rotated it is not installed again.",
  ),
  AGENT_AUTH_TRUSTED_PROVIDERS: {
    schema: z.string().transform(parseProviders).default([]),
    default: "`[]`",
    meaning:
      "Identity providers whose ID-JAG assertions are accepted: a JSON array of `{iss, name?, jwks_uri?, jwks?, client_id?, algs?, link_verified_email?, max_auth_age?, amr?}`.",
  },
  AGENT_AUTH_SECRET: {
    schema: secret.optional(),
    default: "local mode: derived from `SERVER_SECRET`",
    meaning:
      "Protects one-time codes at rest. Required in public mode, the same on all servers; `openssl rand -hex 32` makes one.",
  },
  AGENT_AUTH_ANONYMOUS: flag(
    "Whether an agent may register without an identity, for a read-only key.",
  ),
  AGENT_AUTH_SERVICE_AUTH: flag(
    "Whether an agent may register with its user's email address. Needs mail.",
  ),
  MAIL_TRANSPORT: {
    schema: z.enum(["console", "file", "smtp", "none"]).optional(),
    default: "`console` in local mode, else `none`",
    meaning:
      "How mail is sent: `smtp` or `none`; in local mode also `console`, which prints it, and `file`.",
  },
  MAIL_FILE: {
    schema: z.string().default(".data/mail.jsonl"),
    default: "`.data/mail.jsonl`",
    meaning: "The file to which `MAIL_TRANSPORT=file` appends one JSON object per email.",
  },
  MAIL_FROM: {
    schema: z
      .string()
      .includes("@", { error: "must have an email address, as in Support <support@example.com>" })
      .default("Agent Infrastructure <no-reply@localhost>"),
    default: "`Agent Infrastructure <no-reply@localhost>`",
    meaning: "The sender of all mail.",
  },
  SECURITY_CONTACT: {
    schema: z
      .union([z.email(), z.url({ protocol: /^(https|mailto)$/, normalize: true })], {
        error: "must be an email address or an https URL",
      })
      .transform((contact) => (contact.includes(":") ? contact : `mailto:${contact}`))
      .optional(),
    default: "`security@` the host of `BASE_URL`",
    meaning:
      "Where to report vulnerabilities of this server, in `/.well-known/security.txt`: an email address or an https URL.",
  },
  SMTP_URL: optional(
    z
      .url({ protocol: /^smtps?$/, error: "must be an smtp or smtps URL" })
      .refine(hasReadableLogin, "write % in the user and password as %25"),
    "The mail server of `MAIL_TRANSPORT=smtp`: `smtps://user:password@host:465`, or `smtp://` with STARTTLS where the server offers it.",
  ),
  ...rateLimits,
  TRUSTED_PROXIES: {
    schema: z.string().default("127.0.0.0/8,::1/128").transform(parseProxies),
    default: "`127.0.0.0/8,::1/128`",
    meaning:
      "Networks (CIDR, separated by commas) whose `X-Forwarded-For` is trusted. Without a proxy set `none`, or programs on the same machine can choose their address.",
  },
  ...storageLimits,
  CRON_SECRET: optional(
    bearer,
    "The secret that a scheduler sends to `/api/messages/dispatch`, as `Authorization: Bearer <secret>`. Without it anyone may call that path; the response then names no messages and shows only the kind of each failure, except in local mode to programs on the same machine or in its private network.",
  ),
  DISPATCH_INTERVAL_SECONDS: integer(
    { min: 0, max: 3600, default: 5 },
    "How often the server sends messages that have been due, and unchanged, for this long, fires schedules, mails notices and deletes what has expired. With 0 it does none of this unless something calls `/api/messages/dispatch`. Above 60, expiry is later than the documentation says, and schedules can miss times. Not used on Vercel.",
  ),
  DISPATCH_BUDGET_MS: integer(
    { min: 0, max: 600_000, default: 45_000 },
    "How long one dispatch starts deliveries. Those that are running may finish later.",
  ),
  DELIVERIES_MAX: integer(
    { min: 1, max: 10_000, default: 50 },
    "The maximum number of concurrent deliveries of one server.",
  ),
  DELIVERIES_PER_ORGANIZATION_MAX: integer(
    { min: 1, max: 10_000, default: 25 },
    "The maximum number of concurrent deliveries for one organization. All public messages together count as one, and those of one network as half of one.",
  ),
  DELIVERIES_PER_HOST_MAX: integer(
    { min: 1, max: 10_000, default: 10 },
    "The maximum number of concurrent deliveries to one target host and port.",
  ),
  MESSAGE_MAX_ATTEMPTS: integer(
    { min: 1, max: 100, default: 5 },
    "Attempts after which a message has failed permanently.",
  ),
  ...retention,
  LOG_LEVEL: {
    schema: z.enum(["debug", "info", "warn", "error", "silent"]).optional(),
    default: "`info`; with `npm run dev`, which prints requests itself, `warn`",
    meaning:
      "What is logged: with `silent` nothing, with `error` failures of this service. `warn` adds other responses of 501 and above. `info` adds every request except health checks, `/metrics` and page files, which need `debug`.",
  },
  METRICS_TOKEN: optional(
    bearer.min(16, "must have at least 16 characters"),
    "The secret that Prometheus sends to `/metrics`, as `Authorization: Bearer <secret>`. Without it `/metrics` returns 404, except in local mode to programs on the same machine or in its private network.",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    z.url({ protocol: /^https?$/, error: "must be an http or https URL" }),
    "A collector, such as `http://localhost:4318`, to which traces are sent with OTLP over HTTP. The OpenTelemetry SDK reads its other variables, such as `OTEL_SERVICE_NAME`, `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_TRACES_SAMPLER`.",
  ),
  DELIVERY_ALLOW_CIDRS: {
    schema: z.string().default("").transform(parseNetworks),
    default: "none",
    meaning:
      "Networks (CIDR, separated by commas) outside the public Internet that messages and replays may reach. Of their responses, only the status is kept. 169.254.0.0/16 and fd00:ec2::/32 stay blocked.",
  },
  DNS_SERVERS: {
    schema: z.string().default("").transform(parseServers),
    default: "the system's",
    meaning:
      "Name servers (addresses with an optional port, separated by commas) that resolve the targets of outbound requests.",
  },
  VALIDATE_RESPONSES: {
    schema: bool.default(false),
    default: "`false`; `npm run dev` and the tests set it",
    meaning: "Checks every response against its published schema, and returns 500 if it differs.",
  },
} satisfies Record<string, Variable>;

function isOrigin(url: string): boolean {
  return /^https?:\/\/[^/?#@\s]+$/i.test(url) && URL.canParse(url);
}

/** Whether the user and password of a URL can be decoded. */
function hasReadableLogin(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}
