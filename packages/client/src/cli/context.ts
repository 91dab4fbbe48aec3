import type { Command } from "commander";
import { ApiError, ConnectionError } from "../api-error.js";
import { type Client, createClient } from "../client.js";
import { VERSION } from "../operations.js";
import { checkedUrl } from "../options.js";
import { readConfig } from "./config.js";
import { CliError, messageOf } from "./failure.js";
import { freshAccessToken } from "./oauth.js";
import { createOutput, type Output } from "./output.js";

/** The options of every command. */
export interface GlobalOptions {
  url?: string;
  key?: string;
  json?: boolean;
}

/** The server, credentials and output of a command. */
export interface Context {
  baseUrl: string;
  client: Client;
  /** Whether there are credentials, valid or not. */
  signedIn: boolean;
  output: Output;
}

const BASE_URL_DEFAULT = "http://localhost:3000";

/**
 * Finds the server and credentials of a command: from its options, then the environment, then the
 * last login.
 */
export async function openContext(command: Command): Promise<Context> {
  const options: GlobalOptions = command.optsWithGlobals();
  const output = createOutput(options.json === true);
  const baseUrl = await chooseBaseUrl(options);
  const given = options.key ?? (process.env.AGENT_INFRA_KEY || undefined);
  const key = given === undefined ? undefined : checkedKey(given);
  const stored = key === undefined ? (await readConfig()).servers[baseUrl] : undefined;
  const client = createClient({
    baseUrl,
    // Null, so that the environment's key is not used for a caller without credentials. An access
    // token is renewed by `authorizedFetch`.
    apiKey: key ?? stored?.api_key ?? stored?.oauth?.access_token ?? null,
    ...(stored?.oauth && { fetch: authorizedFetch(baseUrl, stored.oauth.access_token) }),
    // Enough for a restart of the server, without a long wait when there is no network.
    maxRetries: 2,
    userAgent: `agent-infra/${VERSION}`,
  });
  return { baseUrl, client, signedIn: (key ?? stored) !== undefined, output };
}

/** The context, if it has credentials: only an organization has lists. */
export function requireKey(context: Context): Context {
  if (context.signedIn) return context;
  throw new CliError("forbidden", 'Lists need a key: run "agent-infra login", or pass --key.');
}

/** The server named by the options, the environment or the last login. Throws a usage error. */
export async function chooseBaseUrl({ url }: GlobalOptions): Promise<string> {
  const given = url ?? (process.env.AGENT_INFRA_URL || undefined);
  if (given === undefined) return (await readConfig()).current ?? BASE_URL_DEFAULT;
  try {
    return checkedUrl(given, "The URL of the service");
  } catch (error) {
    throw new CliError("usage", messageOf(error));
  }
}

/** Checks that a key can be sent in a header. Throws a usage error that does not repeat it. */
export function checkedKey(text: string): string {
  const key = text.trim();
  if (key === "") throw new CliError("usage", "The key is empty.");
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new CliError("usage", "The key contains a space or a character that no key has.");
}

/**
 * Signs each request that carries `opened`, the access token at the start, with the current one: a
 * long command may outlive a token.
 */
function authorizedFetch(baseUrl: string, opened: string): typeof fetch {
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get("authorization") !== `Bearer ${opened}`) return fetch(input, init);
    const token = await freshAccessToken(baseUrl).catch((error) => {
      if (error instanceof ApiError || error instanceof ConnectionError) throw error;
      // The client would take anything else for a break of the network, and try again.
      throw new ApiError(messageOf(error), { status: 400, code: "failure" });
    });
    headers.set("authorization", `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
}
