import http from "node:http";
import type net from "node:net";
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, type JWK } from "jose";
import { randomText } from "./keys";

export interface ProviderKey {
  alg: string;
  kid: string;
  privateKey: CryptoKey;
  publicJwk: JWK;
}

export async function makeProviderKey(alg = "ES256"): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = `key-${randomText(8)}`;
  return { alg, kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, use: "sig" } };
}

/** Signs any payload, valid or not. */
export function signToken(
  key: ProviderKey,
  payload: unknown,
  header: Record<string, unknown> = {},
): Promise<string> {
  const { typ = "oauth-id-jag+jwt", ...rest } = header;
  const whole = { alg: key.alg, kid: key.kid, ...(typ !== null && { typ }), ...rest };
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader(whole as { alg: string })
    .sign(key.privateKey, { crit: { urgent: false } });
}

/** An identity provider on loopback that publishes keys, rotates them and fails on demand. */
export async function startIdentityProvider() {
  let key = await makeProviderKey();
  let published = [key.publicJwk];
  let failure: "none" | "error" | "redirect" | "garbage" = "none";
  let fetches = 0;
  const server = http.createServer((request, response) => {
    fetches += 1;
    if (failure === "error") return response.writeHead(500).end();
    if (failure === "redirect") {
      return response.writeHead(302, { location: `${request.url}?again` }).end();
    }
    response.writeHead(200, { "content-type": "application/json" });
    response.end(failure === "garbage" ? "<html>" : JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as net.AddressInfo;
  return {
    iss: `http://127.0.0.1:${port}`,
    get key() {
      return key;
    },
    get fetches() {
      return fetches;
    },
    fail(how: typeof failure) {
      failure = how;
    },
    /** Replaces the key; the old one is no longer published. */
    async rotate() {
      key = await makeProviderKey();
      published = [key.publicJwk];
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;
