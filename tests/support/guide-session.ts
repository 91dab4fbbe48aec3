import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pause, plainEnvironment, ROOT } from "./servers";

/**
 * Runs a guide as a reader would. Blocks with a file name are saved, `sh` blocks are typed into one
 * shell, and the lines of a `text` block must appear in the output, where `…` means any text. An
 * endless loop is stopped once its output has appeared, and a stream after two seconds.
 */
interface GuideOptions {
  /** Parts of the guide that are others here: the address of the server, ports. */
  replaced: Record<string, string>;
  environment: Record<string, string>;
  /** What the reader types when the guide reads a variable. */
  typed?: Record<string, () => Promise<string>>;
  /** Shell blocks that are not run. */
  skipped?: readonly RegExp[];
}

/** After each call, its status, method and URL. A stream is cut off after two seconds. */
const REPORTING_CURL = `reporting_curl() {
  command curl -sS -w '\\n%{stderr}%{http_code} %{method} %{url_effective}\\n' "$@"
}
curl() {
  if [ "$1" = -N ]; then reporting_curl -m 2 "$@" || [ $? = 28 ]; else reporting_curl "$@"; fi
}`;
const END = "=== end of a block";
const LOOP = "=== loop";

/** Runs the guide and returns its output. Throws when a command fails. */
export async function runGuide(text: string, options: GuideOptions): Promise<string> {
  // In one pass, because a port may contain the digits of the next one to be replaced.
  const parts = new RegExp(Object.keys(options.replaced).map(escaped).join("|"), "g");
  const filled = text.replaceAll(parts, (part) => options.replaced[part] ?? part);
  fs.mkdirSync(path.join(ROOT, "test-results"), { recursive: true });
  const folder = fs.mkdtempSync(path.join(ROOT, "test-results/.guide-"));
  const shell = startShell(folder, options.environment);
  try {
    await shell.type(`set -e\n${REPORTING_CURL}`);
    const isSkipped = ({ text }: Block) => options.skipped?.some((one) => one.test(text));
    const blocks = blocksOf(filled).filter((block) => !isSkipped(block));
    let loop: number | undefined;
    for (const block of blocks) {
      if (block.file) fs.writeFileSync(path.join(folder, block.file), block.text);
      else if (block.language === "text") await shell.shows(block.text.trimEnd().split("\n"));
      else if (block.language === "sh") {
        if (loop !== undefined) killTree(loop);
        loop = undefined;
        if (/^while true/m.test(block.text)) {
          loop = await shell.begin(block.text);
          continue;
        }
        const [, variable] = /^read -r (\w+)$/m.exec(block.text) ?? [];
        const line = variable === undefined ? undefined : await options.typed?.[variable]?.();
        await shell.type(block.text, line);
      }
    }
    return shell.output();
  } finally {
    shell.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Block {
  language: string;
  /** Where to save it. */
  file: string | undefined;
  text: string;
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w+)(?: (\S+\.\S+)| \S+)?\n(.*?)^```$/gms)].map(
    ([, language = "", file, content = ""]) => ({ language, file, text: content }),
  );
}

function startShell(folder: string, environment: Record<string, string>) {
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, "agent-infra"), `#!/bin/sh\nexec node ${commandLine()} "$@"\n`, {
    mode: 0o755,
  });
  const client = path.join(ROOT, "packages/client/src/index.ts");
  fs.writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { paths: { "agent-infrastructure-client": [client] } } }),
  );
  const shell = spawn("sh", ["-s"], {
    cwd: folder,
    env: {
      ...plainEnvironment(),
      PATH: `${bin}:${process.env.PATH}`,
      HOME: folder,
      npm_config_update_notifier: "false",
      ...environment,
    },
    detached: true, // with its background processes, a group of their own
    stdio: "pipe",
  });
  let output = "";
  let ended = false;
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  shell.once("exit", () => {
    ended = true;
  });
  let blocks = 0;
  const ends = () => output.split(END).length - 1;
  /** Types a text that prints the mark, and waits for it. */
  async function enter(text: string) {
    shell.stdin.write(`${text}\n`);
    blocks += 1;
    await until(() => ends() >= blocks, `This does not end:\n${text}`);
  }
  async function until(isTrue: () => boolean, problem: string) {
    const deadline = Date.now() + 60_000;
    while (!isTrue()) {
      if (ended) throw new Error(`A command failed:\n${output}`);
      if (Date.now() > deadline) throw new Error(`${problem}\n\n${output}`);
      await pause(20);
    }
  }
  return {
    output: () => output.replaceAll(`${END}\n`, ""),
    /** Runs commands to their end. `line` is typed when they read. */
    async type(commands: string, line?: string) {
      if (line === undefined) return await enter(`${commands}\necho "${END}"`);
      // The shell reads ahead, so the line comes when the command waits for it.
      await enter(`echo "${END}"; ${commands.trimEnd()}`);
      await enter(`${line}\necho "${END}"`);
    },
    /** Runs commands in the background, and returns the ID of their process. */
    async begin(commands: string): Promise<number> {
      await enter(`(\n${commands}) &\necho "${LOOP} $!"\necho "${END}"`);
      return Number(output.split(`${LOOP} `).at(-1)?.split("\n")[0]);
    },
    /** Waits until each line is in the output. */
    async shows(lines: string[]) {
      for (const line of lines) {
        const pattern = patternOf(line);
        await until(() => pattern.test(output), `This is not shown: ${line}`);
      }
    },
    kill: () => killGroup(shell),
  };
}

/** The command line of the client, built once by each worker. */
function commandLine(): string {
  const folder = path.join(ROOT, `test-results/.agent-infra-${process.pid}`);
  if (!fs.existsSync(folder)) {
    execFileSync("node", ["packages/client/build.mjs", folder], { cwd: ROOT, stdio: "pipe" });
  }
  return path.join(folder, "cli.js");
}

function patternOf(line: string): RegExp {
  return new RegExp(line.split("…").map(escaped).join(".*"));
}

/** A pattern for exactly this text. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Kills a process with those that it started. Each is stopped before its children are listed, so none is missed. */
function killTree(pid: number) {
  const found = [pid];
  for (const one of found) {
    signal(one, "SIGSTOP");
    const rows = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
    const processes = rows.map((row) => row.trim().split(/\s+/).map(Number));
    found.push(...processes.flatMap(([id = 0, parent]) => (parent === one ? [id] : [])));
  }
  for (const one of found) signal(one, "SIGKILL");
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

function killGroup({ pid }: ChildProcess) {
  if (pid !== undefined) signal(-pid, "SIGKILL");
}
