import type { Sql } from "@prisma/client-runtime-utils";

export const scopes = ["api.read", "api.write"] as const;

export type Scope = (typeof scopes)[number];

/** A protected resource: the HTTP API or `/mcp`. An access token is bound to one of them. */
export type Audience = "api" | "mcp";

/**
 * Who makes a request: anonymous, an API key or OAuth grant, or a person signed in to one of their
 * organizations. The first argument of every service function that touches owned data.
 */
export type Caller = (
  | {
      kind: "anonymous";
      /** The network that the request came from. */
      network?: string;
      /** The claim token of an earlier create. It will also claim the resource that this request creates. */
      claimWith?: string;
    }
  | {
      kind: "key";
      keyId: string;
      organizationId: string;
      scopes: readonly Scope[];
      /**
       * The name of the rate limit that its requests count against, if it shares one with other
       * keys.
       */
      meter?: string;
      /** Set if the key has not been read for this request, but was live a moment ago. */
      check?: KeyCheck;
      /** Unix seconds; set for an OAuth access token, which ends before its grant `keyId`. */
      tokenExpiresAt?: number;
    }
  | { kind: "user"; userId: string; organizationId: string; scopes: readonly Scope[] }
) & {
  /**
   * Local mode only: the request comes from a web page outside loopback and must not reach the
   * developer's machine. `form` is the dashboard itself, opened under a non-loopback host name.
   */
  foreignPage?: "request" | "form";
  /**
   * The claim token that came with a change of a public resource, the client that a wrong one
   * counts against, and where the token was sent. Not checked yet (`isCreators`).
   */
  proof?: { token: string; client: string; param: "Claim-With" | "claim_token" };
  /** The `traceparent` of the request, passed on to the messages that it creates. */
  traceparent?: string;
  /**
   * This service sent the request on its own, for a forward or schedule for example, or the request
   * follows from one that it sent.
   */
  isRelayed?: true;
  /** The request is a message, of whatever origin. */
  isMessage?: true;
};

/** The check of a key that a request leaves to the statement that inserts or reads its resource. */
export interface KeyCheck {
  isDone: boolean;
  /** SQL that is true if the key is live and has the scope. */
  isLive(): Sql;
  /** A statement has found the key live. */
  pass(): void;
  /** Reads the key. Throws 401 unless it is live, and 403 unless it has the scope. */
  run(): Promise<void>;
  /** Called at the end of the request. */
  end(): void;
}

/** Whether the caller may attempt writes. Anyone may change public resources. */
export function mayWrite(caller: Caller): boolean {
  return caller.kind === "anonymous" || caller.scopes.includes("api.write");
}

export const anonymous: Caller = { kind: "anonymous" };
