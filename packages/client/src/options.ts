import { VERSION } from "./operations.js";
import type { SendOptions } from "./send.js";

export interface ClientOptions {
  /** The server's address. Default: the environment variable `AGENT_INFRA_URL`. */
  baseUrl?: string | undefined;
  /** Null for none: what you create is then public. Default: the environment variable `AGENT_INFRA_KEY`. */
  apiKey?: string | null | undefined;
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /** How often a request is retried, if that is safe; 3 by default. */
  maxRetries?: number | undefined;
  /** The time limit of one attempt; 60 000 by default. Long polls take up to 25 000. */
  timeoutMs?: number | undefined;
  /** The name of your program, which the service's operator sees before the client's. */
  userAgent?: string | undefined;
}

interface Settings {
  baseUrl: string;
  /** The headers of every request. */
  ownHeaders: Record<string, string>;
  defaults: SendOptions;
}

/** Checks the options and completes them from the environment. Throws a `TypeError`. */
export function settingsOf(options: ClientOptions): Settings {
  checkOptions(options, OPTIONS);
  const baseUrl = options.baseUrl ?? environment("AGENT_INFRA_URL");
  if (baseUrl === undefined) {
    throw new TypeError("Set baseUrl, or the environment variable AGENT_INFRA_URL.");
  }
  return {
    baseUrl: checkedUrl(baseUrl, "baseUrl"),
    ownHeaders: {
      ...authorizationOf(
        options.apiKey === undefined ? environment("AGENT_INFRA_KEY") : options.apiKey,
      ),
      ...userAgentOf(options.userAgent),
    },
    defaults: {
      fetch: options.fetch ?? globalThis.fetch,
      maxRetries: options.maxRetries ?? 3,
      timeoutMs: options.timeoutMs ?? 60_000,
    },
  };
}

/** The address of a server, without a slash at its end. Throws a `TypeError` about `name`. */
export function checkedUrl(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    throw new TypeError(
      `${name} must be an http or https URL, such as https://agents.example.com.`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError(
      `${name} must have no user name, password, query or fragment. A key is an option of its own.`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Checks the key without repeating it in an error. */
function authorizationOf(apiKey: string | null | undefined): Record<string, string> {
  const key = apiKey?.trim();
  if (key === undefined) return {};
  if (key === "") throw new TypeError("apiKey is empty. Without a key, pass null.");
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError("apiKey contains a space or a character that no key has.");
  }
  return { Authorization: `Bearer ${key}` };
}

/** Browsers name themselves, and most refuse another name. */
function userAgentOf(name: string | undefined): Record<string, string> {
  const runtime = globalThis.process?.versions?.node;
  if (runtime === undefined) return {};
  if (name !== undefined && !/^[\x20-\x7e]+$/.test(name)) {
    throw new TypeError("userAgent must be printable ASCII, such as reports/1.0.");
  }
  const client = `agent-infrastructure-client/${VERSION} node/${runtime}`;
  return { "User-Agent": name === undefined ? client : `${name} ${client}` };
}

const OPTIONS = ["baseUrl", "apiKey", "fetch", "maxRetries", "timeoutMs", "userAgent"];

/** Checks options, which may have these names. Throws a `TypeError`. */
export function checkOptions(options: object, names: string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`"${unknown}" is not an option; there are ${names.join(", ")}.`);
  }
  const { maxRetries = 0, timeoutMs = 1 }: Pick<ClientOptions, "maxRetries" | "timeoutMs"> =
    options;
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw new TypeError("maxRetries must be a whole number from 0.");
  }
  if (!(timeoutMs > 0)) throw new TypeError("timeoutMs must be more than 0.");
}

function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name] || undefined;
}
