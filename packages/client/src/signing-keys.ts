import type { Connection } from "./connection.js";
import {
  type ReceivedRequest,
  SignatureError,
  type Verified,
  type VerifyOptions,
  verifySignature,
} from "./verify-signature.js";

const KEYS_MS_MAX = 3_600_000;
/** Forged signatures must not make us ask for the keys more often. */
const KEYS_MS_MIN = 60_000;

/**
 * Returns a function that verifies deliveries with the public keys of the connection's server. Keeps
 * the keys for an hour, and looks for new ones when a signature does not match.
 */
export function verifierOf(connection: Connection) {
  let known = { at: Number.NEGATIVE_INFINITY, keys: Promise.resolve<string[]>([]) };

  function keys(msMax: number): Promise<string[]> {
    if (performance.now() - known.at > msMax) {
      const fetched = { at: performance.now(), keys: fetchKeys(connection) };
      fetched.keys.catch(() => {
        fetched.at = Number.NEGATIVE_INFINITY;
      });
      known = fetched;
    }
    return known.keys;
  }

  return async (request: ReceivedRequest, options?: VerifyOptions): Promise<Verified> => {
    const first = await keys(KEYS_MS_MAX);
    try {
      return await verifySignature(request, first, options);
    } catch (error) {
      const current = error instanceof SignatureError ? await keys(KEYS_MS_MIN) : first;
      if (current === first) throw error;
      return verifySignature(request, current, options);
    }
  };
}

async function fetchKeys({ calls }: Connection): Promise<string[]> {
  const get = calls.GET as (path: string) => Promise<{ data: { keys: { public_key: string }[] } }>;
  const { data } = await get("/.well-known/webhook-signing-keys.json");
  return data.keys.map((key) => key.public_key);
}
