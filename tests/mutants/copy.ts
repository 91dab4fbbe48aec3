import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildMarkdownWorker, buildServer } from "../../scripts/build-server.mjs";
import { linkPackages } from "../../scripts/link-packages.mjs";
import { makeDataDir } from "../support/data-dirs";
import { makeTemporaryFolder, ROOT } from "../support/servers";
import { writeDeclared } from "../support/write-declared";
import { broken, isOfPages, type Mutant, specFile } from "./mutant";

export interface Verdict {
  kind: "killed" | "survived" | "undecided";
  /** The test that failed and its error, or why there is no verdict. */
  detail: string;
  seconds: number;
}

/** What is run: the mutant, or the whole service, which has no name. */
type Trial = Pick<Mutant, "name" | "file" | "pages" | "specs" | "grep">;

const LEFT_OUT = [".git", ".data", ".env", ".env.local", "node_modules", "test-results"];
/** What `npm start` compares with the sources. */
const BUILT = [".next/BUILD_ID", "dist/client.tgz", "dist/docs/pages.json", "dist/server/main.js"];
const SECONDS_MAX = 600;
/** How a test failed, and the beginning of its error. */
const FAILED = /^FAILED .* \((\w+), \d+ ms\)\n((?: {4}.*\n){1,12})/m;

/** Copies the working tree with its last build into a folder of its own, and builds before if there is none. */
export async function makeCopy(): Promise<Copy> {
  if (!existsSync(path.join(ROOT, ".next/BUILD_ID"))) await buildAll(ROOT);
  const temporary = makeTemporaryFolder();
  const folder = path.join(temporary, "tree");
  const cache = path.join(ROOT, ".next/cache");
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (file) => file !== cache && !LEFT_OUT.includes(path.relative(ROOT, file)),
  });
  linkPackages(folder);
  const data = path.join(temporary, "data");
  await makeDataDir(data);
  const declared = writeDeclared(path.join(temporary, "declared.json"));
  return new Copy(folder, { TEST_MADE_DATA: data, TEST_DECLARED: declared });
}

/** A copy of the working tree, whose sources may be broken. */
export class Copy {
  readonly #folder: string;
  /** What a run would make first: a migrated database, as a server that was stopped leaves it, and what operations declare. */
  readonly #made: Record<"TEST_MADE_DATA" | "TEST_DECLARED", string>;
  /** The names of the mutants that the builds have; none is the whole service. */
  #server: string | undefined;
  #pages: string | undefined = "";

  constructor(folder: string, made: Record<"TEST_MADE_DATA" | "TEST_DECLARED", string>) {
    this.#folder = folder;
    this.#made = made;
  }

  /** Breaks the guard, runs the specs that should notice, and mends it. */
  async try(mutant: Mutant): Promise<Verdict> {
    const file = path.join(this.#folder, mutant.file);
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, broken(mutant, whole));
    try {
      return await this.run(mutant);
    } finally {
      writeFileSync(file, whole);
    }
  }

  /** Runs the specs until a test fails. A run that fails without a failing test decides nothing. */
  async run(trial: Trial, secondsMax = SECONDS_MAX): Promise<Verdict> {
    const { specs, grep, file } = trial;
    const start = performance.now();
    const verdict = (kind: Verdict["kind"], detail = "") => {
      const seconds = Math.round((performance.now() - start) / 1000);
      return { kind, detail, seconds };
    };
    if (specs.some((spec) => !spec.startsWith("unit/"))) {
      const problem = await this.#build(trial).then(() => undefined, String);
      if (problem !== undefined) return verdict("undecided", problem.slice(-4000));
    }
    const projects = new Set(specs.map((spec) => `--project=${spec.split("/")[0]}`));
    const argv = [
      "node_modules/playwright/cli.js",
      "test",
      ...projects,
      ...specs.map(specFile),
      ...(grep === undefined ? [] : [`--grep=${grep}`]),
      "--max-failures=1",
      `--global-timeout=${secondsMax * 1000}`,
    ];
    // A broken migration makes a database of its own.
    const { TEST_MADE_DATA, ...others } = this.#made;
    const made = file.endsWith(".sql") ? others : this.#made;
    const { code, output } = await runNode(argv, this.#folder, made);
    if (code === 0) return verdict("survived");
    const failed = /^failed: (.*)$/m.exec(output)?.[1];
    const [, status, error = ""] = FAILED.exec(output) ?? [];
    // A slow machine would do the same.
    if (failed === undefined || status !== "failed" || /^timedout after/m.test(output)) {
      return verdict("undecided", output.slice(-4000));
    }
    return verdict("killed", `${failed}: ${error.replaceAll(/\s+/g, " ").trim()}`);
  }

  /** Builds what the mutant is part of, and again what has another. */
  async #build(trial: Trial) {
    const { name, file } = trial;
    const pages = isOfPages(trial) ? name : "";
    const server = file.endsWith(".sql") ? "" : name;
    const [builtPages, builtServer] = [this.#pages, this.#server];
    [this.#pages, this.#server] = [undefined, undefined];
    if (builtPages !== pages) await buildAll(this.#folder);
    else if (builtServer !== server) {
      await buildServer(this.#folder);
      await buildMarkdownWorker(this.#folder);
    }
    // Without this, `npm start` would build the pages too.
    for (const one of BUILT) utimesSync(path.join(this.#folder, one), new Date(), new Date());
    [this.#pages, this.#server] = [pages, server];
  }

  remove(): void {
    rmSync(path.dirname(this.#folder), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function buildAll(folder: string) {
  const { code, output } = await runNode(["scripts/build.mjs"], folder);
  if (code !== 0) throw new Error(output);
}

async function runNode(argv: string[], cwd: string, environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, argv, {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const [code] = await once(child, "close");
  return { code, output };
}
