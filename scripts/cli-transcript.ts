import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmWithoutRegistry } from "../tests/support/npm";
import { freePort, pause, plainEnvironment, startServer } from "../tests/support/servers";

// Starts a server with an empty database, installs its client into an empty folder, and
// records in docs/cli.md how it forwards a GitHub-style delivery to a server that verifies it.

const FILE = "docs/cli.md";
const HEADING = "## From an empty folder";

const folder = await mkdtemp(join(tmpdir(), "cli-transcript-"));
const server = await startServer(["scripts/start.mjs"], await freePort(), {
  DATA_DIR: join(folder, "data"),
});
const targetPort = await freePort();
const environment = {
  ...plainEnvironment(),
  ...npmWithoutRegistry(folder),
  AGENT_INFRA_URL: server.baseUrl,
  XDG_CONFIG_HOME: folder,
};

const TARGET = `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const sum = createHmac("sha256", process.env.SECRET).update(Buffer.concat(chunks)).digest("hex");
  const expected = Buffer.from(\`sha256=\${sum}\`);
  const given = Buffer.from(request.headers["x-hub-signature-256"] ?? "");
  const genuine = given.length === expected.length && timingSafeEqual(given, expected);
  console.log(request.headers["x-github-event"], request.url, genuine ? "genuine" : "forged");
  response.writeHead(genuine ? 204 : 401).end();
}).listen(4000);
`;

const children: Terminal[] = [];
try {
  const transcript = await walk();
  const [before] = (await readFile(FILE, "utf8")).split(`\n${HEADING}\n`);
  await writeFile(FILE, `${before}\n${HEADING}\n\n${transcript}`);
  console.log(`Wrote ${FILE}.`);
} finally {
  for (const terminal of children) terminal.interrupt();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function walk(): Promise<string> {
  const empty = await mkdtemp(join(folder, "empty-"));
  const install = open(empty, `npm install ${server.baseUrl}/client.tgz`);
  await install.ended;

  await writeFile(join(empty, "server.mjs"), TARGET.replace("4000", String(targetPort)));
  const target = open(empty, "SECRET=s3cret node server.mjs");
  const listening = open(empty, `npx agent-infra listen --to http://localhost:${targetPort}/hook`);
  await listening.shows("Waiting for requests");
  const endpoint = /wh_\w+/.exec(listening.text())?.[0] ?? "";

  const trigger = `npx agent-infra trigger ${endpoint} --sample github --secret`;
  const genuine = open(empty, `${trigger} s3cret`);
  await genuine.ended;
  await listening.shows("204");
  const forged = open(empty, `${trigger} guessed`);
  await forged.ended;
  await listening.shows("401");
  listening.interrupt();
  await listening.ended;

  return `\`npm run transcript\` recorded this: the server's client in an empty folder, a local server that
verifies GitHub's signature, and two deliveries, the second one signed with a wrong secret.

${block(install)}

\`server.mjs\`:

\`\`\`js
${TARGET.trimEnd()}
\`\`\`

In one terminal:

${block(target)}

In a second one, until Ctrl-C:

${block(listening)}

In a third one:

${block(genuine, forged)}
`;
}

interface Terminal {
  command: string;
  text(): string;
  shows(words: string): Promise<void>;
  /** Ctrl-C reaches every process of the terminal. */
  interrupt(): void;
  ended: Promise<unknown>;
}

function open(cwd: string, command: string): Terminal {
  // A separate process group, as in a terminal.
  const child: ChildProcess = spawn("sh", ["-c", command], {
    cwd,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
    });
  }
  const terminal = {
    command,
    text: () => text,
    async shows(words: string) {
      while (!text.includes(words)) {
        if (child.exitCode !== null) throw new Error(`${command} ended:\n${text}`);
        await pause(20);
      }
    },
    interrupt() {
      const runs = child.exitCode === null && child.signalCode === null;
      if (runs && child.pid) process.kill(-child.pid, "SIGINT");
    },
    ended: new Promise((resolve) => child.once("close", resolve)),
  };
  children.push(terminal);
  return terminal;
}

function block(...terminals: Terminal[]): string {
  const lines = terminals.map(({ command, text }) => `$ ${command}\n${text().trim()}`);
  return `\`\`\`text\n${lines.join("\n")}\n\`\`\``
    .replaceAll(server.baseUrl, "http://localhost:3000")
    .replaceAll(`:${targetPort}`, ":4000")
    .replaceAll(/(clm_)(\w{4})\w{17,}(\w{4})/g, "$1$2…$3");
}
