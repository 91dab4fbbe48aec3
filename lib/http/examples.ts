import { config } from "@/lib/config";
import examples from "./examples.json" with { type: "json" };

const recorded: Record<string, unknown> = examples;

/**
 * What the operation `id` answered in the test that records the examples, or with `.body` what it
 * was sent; undefined where nothing is recorded.
 */
export function exampleOf(id: string): unknown {
  const example = recorded[id];
  if (example === undefined) return undefined;
  const { baseUrl } = config();
  const text = JSON.stringify(example)
    .replaceAll("{base_url}", baseUrl)
    .replaceAll("{host}", new URL(baseUrl).host);
  return JSON.parse(text);
}
