// Runs TypeScript examples one after the other and prints the calls that each one makes, as JSON.
// The examples come in as JSON on stdin: [{ "file", "key" }].
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const examples: { file: string; key: string }[] = JSON.parse(readFileSync(0, "utf8"));
const original = globalThis.fetch;
console.log = () => {};

for (const { file, key } of examples) {
  const calls: string[] = [];
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init);
    const { method, url } = new Request(input, { method: init?.method });
    calls.push(`${response.status} ${method} ${url}`);
    return response;
  };
  process.env.AGENT_INFRA_KEY = key;
  const error = await import(pathToFileURL(file).href).then(() => null, String);
  process.stdout.write(`${JSON.stringify({ file, calls, error })}\n`);
}
