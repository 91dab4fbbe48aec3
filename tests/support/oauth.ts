import { createHash, randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Organization } from "./accounts";
import { expectStatus } from "./expectations";
import { test as base } from "./fixtures";
import { fieldsOf, post, textOf, unescaped } from "./forms";
import { type Api, type ApiResponse, call } from "./http";
import { makePerson, openSession, type Person } from "./people";

export { expect } from "./fixtures";

export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export type Fields = Record<string, string | string[] | undefined>;

export const CALLBACK = "http://127.0.0.1/callback";

type Submitted = [typed?: Record<string, string>, headers?: Record<string, string>];

/** An OAuth client of a server, and the person who authorizes it. */
export class OAuth {
  readonly api: Api;
  readonly baseUrl: string;
  readonly db: Pool;
  readonly person: Person;
  /** The person's session cookie. */
  readonly session: string;
  readonly organization: Organization;
  readonly verifier = randomBytes(32).toString("base64url");

  constructor(
    server: { api: Api; baseUrl: string; db: Pool },
    { person, session, organization }: Pick<OAuth, "person" | "session" | "organization">,
  ) {
    this.api = server.api;
    this.baseUrl = server.baseUrl;
    this.db = server.db;
    this.person = person;
    this.session = session;
    this.organization = organization;
  }

  /** Registers a client and returns its ID. */
  async register(redirect_uris = [CALLBACK], client_name = "Test client"): Promise<string> {
    const response = await this.api("POST", "/oauth/register", {
      body: { redirect_uris, client_name },
    });
    expectStatus(response, 201);
    return JSON.parse(response.text).client_id;
  }

  /** The parameters of a valid authorization request, with these changes. */
  request(clientId: string, changes: Fields = {}): Fields {
    return {
      response_type: "code",
      client_id: clientId,
      redirect_uri: CALLBACK,
      state: "the state",
      code_challenge: challengeOf(this.verifier),
      code_challenge_method: "S256",
      resource: `${this.baseUrl}/mcp`,
      ...changes,
    };
  }

  /** Opens the authorization page. */
  open(parameters: Fields | string, session: string | null = this.session): Promise<ApiResponse> {
    return call(this.baseUrl, "GET", `/oauth/authorize?${encode(parameters)}`, {
      ...(session !== null && { headers: { cookie: `session=${session}` } }),
    });
  }

  /** Submits the authorization page as a browser without scripts; returns where it leads. */
  async decide(parameters: Fields, typed: Record<string, string> = {}): Promise<URL> {
    const response = await this.submit(parameters, typed);
    const url = /http-equiv="refresh" content="0;url=([^"]*)"/i.exec(response.body)?.[1];
    if (url === undefined) throw new Error(`The page leads nowhere: ${textOf(response.body)}`);
    return new URL(unescaped(url));
  }

  submit(parameters: Fields, ...rest: Submitted) {
    return this.press(`/oauth/authorize?${encode(parameters)}`, ...rest);
  }

  /** Submits the page of a code that a terminal shows. */
  decideDevice(userCode: string, ...rest: Submitted) {
    return this.press(`/oauth/device?${encode({ user_code: userCode })}`, ...rest);
  }

  private async press(path: string, ...[typed, headers]: Submitted) {
    const { fields, cookie } = await fieldsOf(this.baseUrl, path, this.session, "decision");
    const choice = { decision: "allow", access: "write", organization: this.organization.id };
    const all = { cookie, origin: this.baseUrl, ...headers };
    return post(this.baseUrl, path, { ...fields, ...choice, ...typed }, all);
  }

  /** Lets the client in and returns the code. */
  async code(clientId: string, changes: Fields = {}, typed?: Record<string, string>) {
    const url = await this.decide(this.request(clientId, changes), typed);
    return url.searchParams.get("code") ?? "";
  }

  /** Posts a form to an OAuth endpoint. */
  post(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.api("POST", path, {
      raw: encode(fields),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    });
  }

  exchange(clientId: string, code: string, changes: Fields = {}): Promise<ApiResponse> {
    return this.post("/oauth/token", {
      grant_type: "authorization_code",
      client_id: clientId,
      code,
      redirect_uri: CALLBACK,
      code_verifier: this.verifier,
      ...changes,
    });
  }

  refresh(clientId: string, refresh_token: string, changes: Fields = {}): Promise<ApiResponse> {
    const fields = { grant_type: "refresh_token", client_id: clientId, refresh_token };
    return this.post("/oauth/token", { ...fields, ...changes });
  }

  /** Signs a client in to the API and returns its tokens. */
  async signIn(clientId: string, changes: Fields = {}, typed?: Record<string, string>) {
    const resource = { resource: `${this.baseUrl}/` };
    const code = await this.code(clientId, { ...resource, ...changes }, typed);
    return tokensOf(await this.exchange(clientId, code));
  }
}

export const test = base.extend<{ oauth: OAuth }>({
  oauth: async ({ api, baseUrl, db, organization }, use) => {
    const person = await makePerson(db, organization.id);
    const session = await openSession(db, person.id);
    await use(new OAuth({ api, baseUrl, db }, { person, session, organization }));
  },
});

export function tokensOf(response: ApiResponse): Tokens {
  expectStatus(response, 200);
  return JSON.parse(response.text);
}

/** The `error` of an OAuth error response. */
export function errorOf(response: ApiResponse): unknown {
  return JSON.parse(response.text).error;
}

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

function encode(fields: Fields | string): string {
  if (typeof fields === "string") return fields;
  const pairs = Object.entries(fields).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value]),
  );
  return String(new URLSearchParams(pairs));
}
