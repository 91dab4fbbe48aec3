import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "playwright/test";
import { parseConfig } from "@/lib/platform/config/config";
import { misspeltVariables } from "@/lib/platform/config/misspelt";
import { OperatorError } from "@/lib/platform/operator-error";
import { randomText } from "../support/keys";

/** That a server with wrong settings does not start is tested in tests/fault/settings.spec.ts. */

const VALID = {
  DATABASE_URL: "postgresql://127.0.0.1:1/never",
  SERVER_SECRET: randomText(40),
  AGENT_AUTH_SECRET: randomText(40),
};
const PUBLIC = { BASE_URL: "https://svc.example" };

const INVALID: Array<[name: string, value: string, others?: Record<string, string>]> = [
  ["BASE_URL", "not a URL"],
  ["BASE_URL", "https://svc.example/x"],
  ["BASE_URL", "https://svc.example/"],
  ["BASE_URL", "https://svc.example?x=1"],
  ["BASE_URL", "https://user@svc.example"],
  ["BASE_URL", "ftp://svc.example"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["DATABASE_URL", "postgresql://one:5432,two:5432/x"],
  ["DATABASE_URL", "postgresql://u:pass/word@localhost/x"],
  ["DATABASE_URL", "postgresql://localhost/x?sslmode=required"],
  ["DIRECT_URL", VALID.DATABASE_URL, { DATABASE_URL: "" }],
  ["MIGRATE_ON_START", "perhaps"],
  ["SERVER_SECRET", "short"],
  ["SERVER_SECRET", "", PUBLIC],
  ["BOOTSTRAP_API_KEY", "my-key"],
  ["AGENT_AUTH_SECRET", "short"],
  ["AGENT_AUTH_SECRET", "", PUBLIC],
  ["CRON_SECRET", "x", PUBLIC],
  ["CRON_SECRET", "a long sécret of a scheduler", PUBLIC],
  ["AGENT_AUTH_TRUSTED_PROVIDERS", "{"],
  ["AGENT_AUTH_TRUSTED_PROVIDERS", "{}"],
  ["AGENT_AUTH_TRUSTED_PROVIDERS", '[{"iss":"x"}]'],
  ["AGENT_AUTH_TRUSTED_PROVIDERS", '[{"iss":"http://idp.example"}]'],
  ["AGENT_AUTH_TRUSTED_PROVIDERS", '[{"iss":"http://127.0.0.1:1"}]', PUBLIC],
  ["AGENT_AUTH_TRUSTED_PROVIDERS", '[{"iss":"https://a.example","jwksUri":"x"}]'],
  ["AGENT_AUTH_TRUSTED_PROVIDERS", '[{"iss":"https://a.example","algs":["HS256"]}]'],
  ["MAIL_TRANSPORT", "pigeon"],
  ["MAIL_TRANSPORT", "file", PUBLIC],
  ["MAIL_TRANSPORT", "console", PUBLIC],
  ["SMTP_URL", "", { MAIL_TRANSPORT: "smtp" }],
  ["RATE_LIMIT_AGENT_CLAIM", "0"],
  ["WEB_CONCURRENCY", "0"],
  ["WEB_CONCURRENCY", "1000"],
  ["WEB_CONCURRENCY", "half"],
  ["PORT", "http"],
  ["PORT", "80.5"],
  ["DATABASE_POOL_SIZE", "1"],
  ["DATABASE_REPLICA_URL", "replica"],
  ["SHUTDOWN_DELAY_SECONDS", "5s"],
  ["VALIDATE_RESPONSES", "maybe"],
  ["CAPTURE_MAX_BODY_BYTES", "1MB"],
  ["IDEMPOTENCY_RETENTION_HOURS", "1"],
  ["MESSAGE_RETENTION_DAYS", "forever"],
  ["LOG_LEVEL", "loud"],
  ["MAIL_FROM", "Support"],
  ["SECURITY_CONTACT", "me"],
  ["SMTP_URL", "mail.example:25"],
  ["SMTP_URL", "smtp://user:50%off@mail.example"],
  ["METRICS_TOKEN", "short"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "localhost:4318"],
  ["TRUSTED_PROXIES", "10.0.0.0/99"],
  ["DELIVERY_ALLOW_CIDRS", "intranet"],
  ["DNS_SERVERS", "dns.example"],
];

for (const [name, value, others] of INVALID) {
  const settings = { ...others, [name]: value };
  test(`The settings ${JSON.stringify(settings)} are refused in a sentence that names ${name}`, () => {
    expect(() => parseConfig(VALID)).not.toThrow();
    const refused = () => parseConfig({ ...VALID, ...settings });
    expect(refused).toThrow(OperatorError);
    // Our words, which say what is allowed.
    expect(refused).toThrow(
      new RegExp(`^${name}: (?!.*(Invalid|expected|received|Too |Unrecognized))\\S[^\n]*[^.]\\.$`),
    );
  });
}

test("Spaces and carriage returns around a value do not belong to it", () => {
  const given = { PORT: "4000\r", MAIL_FROM: " \r", CRON_SECRET: "a long secret\r\n" };
  const { port, baseUrl, mail, cronSecret } = parseConfig({ ...VALID, ...given });
  expect({ port, baseUrl }).toEqual({ port: 4000, baseUrl: "http://localhost:4000" });
  expect(mail.from).toBe("Agent Infrastructure <no-reply@localhost>");
  expect(cronSecret).toBe("a long secret");
});

test("A misspelt variable is noticed, and variables of other programs are not", () => {
  const wrong = ["SEVER_SECRET", "SERVER_SECERT", "DATABASE_URI", "BASE_URLS", "LOG-LEVEL"];
  const meant = misspeltVariables(wrong).map(({ meant }) => meant);
  expect(meant).toEqual([
    "SERVER_SECRET",
    "SERVER_SECRET",
    "DATABASE_URL",
    "BASE_URL",
    "LOG_LEVEL",
  ]);
  const others = ["PATH", "PORT", "PORTS", "HOSTNAME", "DATABASE_URL", "DATABASE_URL_UNPOOLED"];
  expect(misspeltVariables([...others, "SMTP_HOST", "AMQP_URL", "DATA"])).toEqual([]);
});

test("Local mode makes its secret once, and refuses one that was cut short", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "data-"));
  const file = path.join(folder, "server-secret");
  const secret = () => parseConfig({ DATA_DIR: folder }).serverSecret;
  const made = secret();
  expect(made).toMatch(/^[0-9a-f]{64}$/);
  expect(secret()).toBe(made);
  expect(fs.readdirSync(folder)).toEqual(["server-secret"]);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  for (const length of [0, 31]) {
    fs.writeFileSync(file, made.slice(0, length));
    expect(secret).toThrow(OperatorError);
    expect(secret).toThrow(/^DATA_DIR: .*server-secret is cut short\./);
  }
  fs.rmSync(folder, { recursive: true });
});

test("A secret that can be neither read nor made is one sentence that names DATA_DIR", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "data-"));
  fs.mkdirSync(path.join(folder, "server-secret")); // no file: not even root can read it
  const refused = () => parseConfig({ DATA_DIR: folder }).serverSecret;
  expect(refused).toThrow(OperatorError);
  expect(refused).toThrow(/^DATA_DIR: .*server-secret can be neither read nor made\./);
  fs.rmSync(folder, { recursive: true });
});
