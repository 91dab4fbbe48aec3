export const scopes = ["api.read", "api.write"] as const;

export type Scope = (typeof scopes)[number];

/** A protected resource: the HTTP API or `/mcp`. An access token is bound to one of them. */
export type Audience = "api" | "mcp";

/**
 * Who makes a request: anonymous, an API key or OAuth grant, or a person signed in to one of their organizations.
 * The first argument of every service function that touches owned data.
 */
export type Caller = (
  | {
      kind: "anonymous";
      /** Where the request came from: messages of one network take turns with those of others. */
      network?: string;
      /** The claim token of an earlier create. It will also claim the resource that this request creates. */
      claimWith?: string;
    }
  | {
      kind: "key";
      keyId: string;
      organizationId: string;
      scopes: readonly Scope[];
      /** What its requests are counted by, if it shares its rate limit with other keys. */
      meter?: string;
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
   * The claim token that came with a change of a public resource, by whom a wrong one is counted, and
   * where it was sent. Not checked yet (`isCreators`).
   */
  proof?: { token: string; client: string; param: "Claim-With" | "claim_token" };
  /** The `traceparent` of the request, which messages that it creates carry on. */
  traceparent?: string;
  /** The request is a message of a forward or a schedule, or was caused by one. */
  isRelayed?: true;
};

/** Whether it may attempt writes. Anyone may change public resources. */
export function mayWrite(caller: Caller): boolean {
  return caller.kind === "anonymous" || caller.scopes.includes("api.write");
}

export const anonymous: Caller = { kind: "anonymous" };
