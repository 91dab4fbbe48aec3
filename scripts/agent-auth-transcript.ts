import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { freePort, plainEnvironment, startServer } from "../tests/support/servers";

// Starts a server with an empty database, takes an agent from its first 401 to a revoked key, and
// records the requests and responses in docs/agent-auth-transcript.md.

const FILE = "docs/agent-auth-transcript.md";
const SHOWN_BASE = "http://localhost:3000";
const USER = "user@example.com";

const folder = await mkdtemp(join(tmpdir(), "agent-auth-transcript-"));
const mailFile = join(folder, "mail.jsonl");
const environment = {
  DATA_DIR: join(folder, "data"),
  MAIL_TRANSPORT: "file",
  MAIL_FILE: mailFile,
};
const server = await startServer(["scripts/start.mjs"], await freePort(), environment);
const base = server.baseUrl;

// The fields that an agent reads.
const ResourceMetadata = z.object({ authorization_servers: z.tuple([z.string()]) });
const ServerMetadata = z.object({
  agent_auth: z.object({
    register_uri: z.string(),
    claim_uri: z.string(),
    claim_complete_uri: z.string(),
  }),
});
const Registration = z.object({
  credential: z.string(),
  claim_token: z.string(),
  registration_id: z.string(),
});

const sections: string[] = [];
try {
  await walk();
  await writeFile(FILE, document());
  console.log(`Wrote ${FILE}.`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function walk() {
  const refused = await call("A call with an invalid key", "GET", "/api/tasks", {
    key: "svc_live_none",
  });
  const metadata = refused.headers.get("www-authenticate")?.match(/"([^"]+)"/)?.[1] ?? "";
  const resource = await call("Follow the challenge", "GET", pathOf(metadata));
  const [issuer] = ResourceMetadata.parse(resource.body).authorization_servers;
  const issuing = await call(
    "Find the registration endpoint",
    "GET",
    pathOf(`${issuer}/.well-known/oauth-authorization-server`),
  );
  const { register_uri, claim_uri, claim_complete_uri } = ServerMetadata.parse(
    issuing.body,
  ).agent_auth;
  const registered = await call("Register without an identity", "POST", pathOf(register_uri), {
    body: { type: "anonymous" },
  });
  const { credential: key, claim_token, registration_id } = Registration.parse(registered.body);
  const task = { key, body: { name: "Say hello" } };
  await call("Reading works", "GET", "/api/tasks", { key });
  await call("Creating fails: the key is read-only", "POST", "/api/tasks", task);
  await call("Start the claim: the user gets a code", "POST", pathOf(claim_uri), {
    body: { claim_token, email: USER },
  });
  const mail = JSON.parse((await readFile(mailFile, "utf8")).trim());
  note("The mail to the user", "text", mail.text);
  await call("Complete it with the user's code", "POST", pathOf(claim_complete_uri), {
    body: { claim_token, otp: mail.otp },
  });
  await call("Creating works now, with the same key", "POST", "/api/tasks", task);
  revoke(registration_id);
  await call("The key gets 401, and the agent starts again", "GET", "/api/tasks", {
    key,
  });
}

async function call(
  title: string,
  method: string,
  path: string,
  { key, body }: { key?: string; body?: object } = {},
) {
  const headers = {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body && { "Content-Type": "application/json" }),
  };
  const response = await fetch(base + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const challenge = response.headers.get("www-authenticate");
  const lines = [
    `${method} ${path}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? ["", JSON.stringify(body)] : []),
    "",
    `→ ${response.status} ${response.statusText}`,
    ...(challenge === null ? [] : [`WWW-Authenticate: ${challenge}`]),
    "",
    JSON.stringify(JSON.parse(text), null, 2),
  ];
  note(title, "http", lines.join("\n"));
  const read: unknown = JSON.parse(text);
  return { headers: response.headers, body: read };
}

function revoke(id: string) {
  const output = execFileSync(process.execPath, ["scripts/run.mjs", "revoke", id], {
    env: { ...plainEnvironment(), ...environment },
    encoding: "utf8",
  });
  note("The operator revokes the registration", "text", `$ npm run revoke -- ${id}\n${output}`);
}

function note(title: string, language: string, text: string) {
  sections.push(
    `## ${sections.length + 1}. ${title}\n\n\`\`\`${language}\n${text.trimEnd()}\n\`\`\``,
  );
}

function document() {
  const text = sections
    .join("\n\n")
    .replaceAll(base, SHOWN_BASE)
    // Keys are shortened, since secret scanners would take them for live ones.
    .replaceAll(/(svc_live_|clm_)(\w{4})\w{17,}(\w{4})/g, "$1$2…$3");
  return `# Agent auth: a transcript

\`npm run transcript\` recorded this from a running server. The keys and tokens belong to a database that
no longer exists. [Agent auth](agent-auth.md) has the rules.

${text}
`;
}

function pathOf(url: string) {
  return new URL(url).pathname;
}
