import type { Connection } from "./connection.js";
import {
  type ReceivedRequest,
  SignatureError,
  type Verified,
  type VerifyOptions,
  verifySignature,
} from "./verify-signature.js";

const KEYS_MS_MAX = 3_600_000;
/** A minimum interval between fetches, which forged signatures cannot shorten. */
const KEYS_MS_MIN = 60_000;

export interface ClientVerifyOptions extends VerifyOptions {
  /** The ID of the organization whose deliveries you accept, `org_…`. */
  organization: string;
}

interface Fetch {
  at: number;
  keys: Promise<string[]>;
}

/**
 * Returns a function that verifies deliveries with the organization's public keys from the
 * connection's server. Keeps the keys for an hour, or longer while they cannot be fetched again. It
 * fetches them again when a signature does not match, too, and fails if it cannot.
 */
export function verifierOf(connection: Connection) {
  const succeeded = new Map<string, Fetch>();
  const tried = new Map<string, Fetch>();

  function knownKeys(organization: string): Promise<string[]> {
    const kept = succeeded.get(organization);
    if (kept && performance.now() - kept.at <= KEYS_MS_MAX) return kept.keys;
    const current = currentKeys(organization);
    return kept ? current.catch(() => kept.keys) : current;
  }

  function currentKeys(organization: string): Promise<string[]> {
    const last = tried.get(organization);
    if (last && performance.now() - last.at <= KEYS_MS_MIN) return last.keys;
    const fetch = { at: performance.now(), keys: fetchKeys(connection, organization) };
    tried.set(organization, fetch);
    fetch.keys.then(
      () => succeeded.set(organization, fetch),
      // Without any keys, the next delivery asks again.
      () => succeeded.has(organization) || tried.delete(organization),
    );
    return fetch.keys;
  }

  return async (
    request: ReceivedRequest,
    { organization, ...options }: ClientVerifyOptions,
  ): Promise<Verified> => {
    // Without an ID, the server would return the key of public messages, which anybody can send.
    if (typeof organization !== "string" || organization === "") {
      throw new TypeError("organization must be the ID of the organization that sends, org_….");
    }
    const first = await knownKeys(organization);
    try {
      return await verifySignature(request, first, options);
    } catch (error) {
      const current = error instanceof SignatureError ? await currentKeys(organization) : first;
      if (current === first) throw error;
      return verifySignature(request, current, options);
    }
  };
}

interface Keys {
  keys: { public_key: string; organization_id: string | null }[];
}

async function fetchKeys({ call }: Connection, organization: string): Promise<string[]> {
  const query = new URLSearchParams({ organization });
  const { data } = await call("GET", `/.well-known/webhook-signing-keys.json?${query}`);
  const own = (data as Keys).keys.filter(({ organization_id }) => organization_id === organization);
  return own.map((key) => key.public_key);
}
