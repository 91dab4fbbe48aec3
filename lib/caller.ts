export const scopes = ["api.read", "api.write"] as const;

export type Scope = (typeof scopes)[number];

/**
 * Who makes a request: nobody known, an API key, or a person signed in to one of their organizations.
 * Every service function that touches owned data takes one first.
 */
export type Caller = (
  | { kind: "anonymous" }
  | { kind: "key"; keyId: string; organizationId: string; scopes: readonly Scope[] }
  | { kind: "user"; userId: string; organizationId: string; scopes: readonly Scope[] }
) & {
  /**
   * In local mode: a web page from elsewhere asks, and must not reach the developer's machine. `form`:
   * the dashboard's own, opened under a name that is not a loopback host's.
   */
  foreignPage?: "request" | "form";
};

/** Whether it may try to change what it sees; what is public can be changed by anybody. */
export function mayWrite(caller: Caller): boolean {
  return caller.kind === "anonymous" || caller.scopes.includes("api.write");
}

export const anonymous: Caller = { kind: "anonymous" };
