import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { transformSync } from "esbuild";
import { expect, test } from "playwright/test";
import { signaturesOf } from "@/lib/resources/messages/signing";

/** The functions of docs/messages.md that verify a delivery, in the languages that this machine has. */

const SECRETS = ["new", "old", "other"].map((name) => Buffer.from(name.padEnd(32, "!")));
const [fresh = "", old = "", other = ""] = SECRETS.map((one) => `whsec_${one.toString("base64")}`);
const body = Buffer.concat([Buffer.from('{"text":"café"}'), Buffer.from([0, 0xff])]);

interface Program {
  command: string[];
  /** Compiles the file in its folder, once for all runs. */
  build?: string[];
  file: string;
  program(code: string): string;
}

/** Each program verifies stdin by its arguments: the secret, ID, time and signatures. */
const PROGRAMS: Record<string, Program> = {
  ts: {
    command: [process.execPath, "deliveries.mjs"],
    file: "deliveries.mjs",
    program: (code) => `${transformSync(code, { loader: "ts" }).code}
        import { readFileSync } from "node:fs";
        const [secret, id, time, signatures] = process.argv.slice(2);
        verify(secret, { "webhook-id": id, "webhook-timestamp": time,
          "webhook-signature": signatures }, readFileSync(0));`,
  },
  python: {
    command: ["python3", "deliveries.py"],
    file: "deliveries.py",
    program: (code) => `${code}
import sys
secret, *values = sys.argv[1:]
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
verify(secret, dict(zip(names, values)), sys.stdin.buffer.read())`,
  },
  java: {
    command: ["java", "-XX:TieredStopAtLevel=1", "Main"],
    build: ["javac", "Deliveries.java"],
    file: "Deliveries.java",
    program: (code) =>
      code.replace(
        "\nclass Deliveries {",
        `
class Main {
  public static void main(String[] args) throws Exception {
    Deliveries.verify(args[0], Map.of("webhook-id", args[1], "webhook-timestamp", args[2],
        "webhook-signature", args[3]), System.in.readAllBytes());
  }
}

class Deliveries {`,
      ),
  },
  ruby: {
    command: ["ruby", "deliveries.rb"],
    file: "deliveries.rb",
    program: (code) => `${code}
secret, *values = ARGV
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
verify(secret, names.zip(values).to_h, STDIN.binmode.read)`,
  },
  go: {
    command: ["./deliveries"],
    build: ["go", "build", "deliveries.go"],
    file: "deliveries.go",
    program: (code) => `${code
      .replace("package deliveries", "package main")
      .replace('"fmt"', '"fmt"\n\t"io"\n\t"os"')}
func main() {
	body, _ := io.ReadAll(os.Stdin)
	headers := http.Header{}
	headers.Set("webhook-id", os.Args[2])
	headers.Set("webhook-timestamp", os.Args[3])
	headers.Set("webhook-signature", os.Args[4])
	if Verify(os.Args[1], headers, body) != nil {
		os.Exit(1)
	}
}`,
  },
};

const installed = Object.entries(PROGRAMS).filter(
  ([, { command, build = command }]) =>
    spawnSync("sh", ["-c", `command -v ${build[0]}`]).status === 0,
);

for (const [language, { command, build, file, program }] of installed) {
  test(`The ${language} function accepts a delivery, and refuses other secrets, bodies, times and IDs`, () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "signatures-"));
    const run = ([name = "", ...options]: string[], input: Buffer) =>
      spawnSync(name, options, { cwd: folder, input }).status;
    writeFileSync(path.join(folder, file), program(snippet(language)));
    if (build) expect(run(build, Buffer.alloc(0))).toBe(0);
    const accepts = (secret: string, request: Request): boolean => {
      const values = [request.id, String(request.time), request.signatures];
      return run([...command, secret, ...values], request.body) === 0;
    };
    const now = Math.floor(Date.now() / 1000);
    const request = signed(now);
    expect(accepts(fresh, request)).toBe(true);
    expect(accepts(old, request)).toBe(true);
    // Joined by dots, these are also a longer ID or time with the rest of the body.
    const early = signed(now - 1000, Buffer.from(`part.${now}.rest`));
    const late = signed(now, Buffer.from("5.rest"));
    const rest = Buffer.from("rest");
    const refused: [string, Request][] = [
      [other, request],
      [fresh, { ...request, body: Buffer.concat([body, body]) }],
      [fresh, signed(now - 301)],
      [fresh, { ...request, signatures: "v1, v1a,x" }],
      [fresh, { ...early, id: `${early.id}.${early.time}.part`, time: now, body: rest }],
      [fresh, { ...late, time: now + 0.5, body: rest }],
    ];
    for (const [secret, wrong] of refused) expect(accepts(secret, wrong)).toBe(false);
    rmSync(folder, { recursive: true });
  });
}

interface Request {
  id: string;
  time: number;
  signatures: string;
  body: Buffer;
}

function signed(time: number, content = body): Request {
  const id = "msg_034gLHnnT5MH2Sbz6VPrmYvR1q";
  const signer = { organizationId: "org_1", secrets: SECRETS.slice(0, 2) };
  return { id, time, signatures: signaturesOf(id, time, content, signer), body: content };
}

/** The tab of docs/messages.md with a language. */
function snippet(language: string): string {
  const text = readFileSync(path.resolve(import.meta.dirname, "../../docs/messages.md"), "utf8");
  const pattern = new RegExp(`^\`\`\`${language} \\w+\\n([\\s\\S]*?)^\`\`\``, "m");
  return pattern.exec(text)?.[1] ?? "";
}
