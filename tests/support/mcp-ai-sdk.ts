import {
  createMCPClient,
  type Experimental_MCPEvent as Event,
  experimental_createMCPEventWebhook,
  type Experimental_MCPEventSubscription as Kept,
} from "@ai-sdk/mcp";
import { startTarget } from "./target";

/** The AI SDK's own client and handler of MCP Events. */

/** The example in GitHub's documentation. */
export const GITHUB_EXAMPLE = {
  secret: "It's a Secret to Everybody",
  raw: "Hello, World!",
  headers: {
    "x-hub-signature-256":
      "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
  },
};

/** A client that is connected to `/mcp`, and its store. */
export async function connectAiSdk(baseUrl: string, key: string, fetch = globalThis.fetch) {
  const store = memoryStore();
  const headers = { Authorization: `Bearer ${key}` };
  const client = await createMCPClient({
    transport: { type: "http", url: `${baseUrl}/mcp`, headers, fetch },
    experimental_events: { store },
  });
  return { client, events: client.experimental_events, store };
}

type Store = ReturnType<typeof memoryStore>;

/** A store as the SDK's guide asks for. */
function memoryStore() {
  const kept = new Map<string, Kept>();
  return {
    get: async (key: string) => kept.get(key),
    getById: async (id: string) => [...kept.values()].find((one) => one.id === id),
    set: async (one: Kept) => void kept.set(one.key, one),
    update: async (key: string, patch: Partial<Kept>) => {
      const one = kept.get(key);
      if (one) kept.set(key, { ...one, ...patch });
    },
    delete: async (key: string) => void kept.delete(key),
  };
}

/** The SDK's handler, at a callback on loopback. `note` hears of each request and its response. */
export async function startHandler(
  store: Store,
  onEvent: (event: Event) => void,
  note: (who: string, what: string) => void = () => {},
) {
  const failures: unknown[] = [];
  const handle = experimental_createMCPEventWebhook({
    store,
    onEvent: async ({ event }) => onEvent(event),
    onError: (error) => failures.push(error),
  });
  const target = await startTarget(async (response, { body, headers, path }) => {
    note("callback gets", body.toString());
    const answer = await handle(
      new Request(new URL(path, target.url), {
        method: "POST",
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
      }),
    );
    const text = await answer.text();
    note("callback answers", `${answer.status} ${text}`);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
  });
  const delivery = { mode: "webhook" as const, url: `${target.url}/hook` };
  return {
    delivery: { ...delivery, allowInsecureLocalhost: true },
    failures,
    stop: () => target.stop(),
  };
}
