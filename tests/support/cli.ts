import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test as base } from "./fixtures";
import { makeTemporaryFolder, plainEnvironment, ROOT } from "./servers";

export { expect } from "./fixtures";

/** How a command ended. */
interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The complete lines of stdout, as JSON. */
  values(): Record<string, unknown>[];
  ended: Promise<Ended>;
}

interface CommandOptions {
  input?: string | Uint8Array;
  environment?: Record<string, string>;
}

export interface CommandLine {
  /** The folder of its stored credentials. */
  configFolder: string;
  file: string;
  start(words: string[], options?: CommandOptions): RunningCommand;
  run(words: string[], options?: CommandOptions): Promise<Ended>;
}

let built: string | undefined;

/** Builds the command once for a worker, which its other tests go on with: a worker's fixture would take a worker of its own. */
function builtCli(): string {
  if (built) return built;
  const folder = makeTemporaryFolder();
  process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  const { status, stderr } = spawnSync("node", ["packages/client/build.mjs", folder], {
    cwd: ROOT,
    env: plainEnvironment(),
  });
  if (status !== 0) throw new Error(`The client could not be built:\n${stderr}`);
  fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  built = path.join(folder, "cli.js");
  return built;
}

/** `cli` runs the built command as a process, against the server of the project, without credentials. */
export const test = base.extend<{ cli: CommandLine }>({
  cli: async ({ baseUrl }, use) => {
    const cliFile = builtCli();
    const configFolder = makeTemporaryFolder();
    const children: ChildProcess[] = [];
    const start = (words: string[], options: CommandOptions = {}) => {
      const environment = {
        XDG_CONFIG_HOME: configFolder,
        AGENT_INFRA_URL: baseUrl,
        ...options.environment,
      };
      const running = startCommand([cliFile, ...words], environment, options.input);
      children.push(running.child);
      return running;
    };
    await use({
      configFolder,
      file: cliFile,
      start,
      run: (words, options) => start(words, options).ended,
    });
    for (const child of children) child.kill("SIGKILL");
    fs.rmSync(configFolder, { recursive: true });
  },
});

function startCommand(
  words: string[],
  environment: Record<string, string>,
  input?: string | Uint8Array,
): RunningCommand {
  const child = spawn(process.execPath, words, {
    env: { ...plainEnvironment(), ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    values: () =>
      stdout
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ended: new Promise((resolve) =>
      child.once("close", (code) => resolve({ code, stdout, stderr })),
    ),
  };
}
