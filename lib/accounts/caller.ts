export const scopes = ["api.read", "api.write"] as const;

export type Scope = (typeof scopes)[number];

/**
 * Who makes a request: nobody known, an API key, or a person signed in to one of their organizations.
 * Every service function that touches owned data takes one first.
 */
export type Caller =
  | { kind: "anonymous" }
  | { kind: "key"; keyId: string; organizationId: string; scopes: readonly Scope[] }
  | { kind: "user"; userId: string; organizationId: string; scopes: readonly Scope[] };

export const anonymous: Caller = { kind: "anonymous" };
