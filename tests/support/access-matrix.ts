import type { Pool } from "pg";
import { expect } from "playwright/test";
import type { Operation } from "@/lib/platform/http/operation";
import { makeAccessToken, makeKey, makeOrganization } from "./accounts";
import { challenges, expectEnvelope, expectStatus } from "./expectations";
import { type Api, type ApiResponse, apiOf, type CallOptions, jsonOf, reused } from "./http";
import { makePerson, openSession } from "./people";
import { bodyOf, pathOf, queryOf, type ValidRequest } from "./requests";
import type { Make, Resource } from "./resources";

/** The parts of the access matrix: callers, grids, and the calls that fill a grid. */

export interface Callers {
  /** The headers that each row of a grid sends. */
  headers: Map<string, Record<string, string>>;
  /** The organizations, each with a full key for the test's own calls. */
  own: Owner;
  foreign: Owner;
  agent: Owner;
}

interface Owner {
  id: string;
  key: string;
}

export async function makeCallers(db: Pool, baseUrl: string): Promise<Callers> {
  const own = await makeOrganization(db);
  const foreign = await makeOrganization(db);
  const { credential, ...agent } = await registerAgent(db, apiOf(baseUrl));
  const session = await openSession(db, (await makePerson(db, own.id)).id);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  return {
    headers: new Map<string, Record<string, string>>([
      ["no key", {}],
      ["malformed key", bearer("svc_live_malformed")],
      ["revoked key", bearer(await makeKey(db, own.id, { revoked: true }))],
      ["expired key", bearer(await makeKey(db, own.id, { expiresIn: -1 }))],
      ["read-only key", bearer(own.readKey)],
      ["pre-claim agent", bearer(credential)],
      ["full key", bearer(own.key)],
      ["access token", bearer(await makeAccessToken(db, own.id, "api"))],
      ["token for /mcp", bearer(await makeAccessToken(db, own.id, "mcp"))],
      ["session cookie", { cookie: `session=${session}; __Host-session=${session}` }],
    ]),
    own,
    foreign,
    agent,
  };
}

/** An agent that has not been claimed. */
async function registerAgent(db: Pool, api: Api) {
  const response = await api("POST", "/api/agent/auth", { body: { type: "anonymous" } });
  expectStatus(response, 201);
  const registered = jsonOf<{ registration_id: string; credential: string }>(response);
  const { rows } = await db.query<{ organization_id: string }>(
    "SELECT organization_id FROM api_keys WHERE registration_id = $1",
    [registered.registration_id],
  );
  const id = rows[0]?.organization_id ?? "";
  return { credential: registered.credential, id, key: await makeKey(db, id) };
}

/** A valid request, and who may make it. */
export interface Row extends ValidRequest {
  grid: Grid;
}

/** Rows are callers; columns are the resources on which they call the operation. */
export type Grid = Record<string, Record<string, string>>;

const BAD_KEYS = ["malformed key", "revoked key", "expired key"];

/** Parses a grid; two or more spaces separate cells. A row may be that of several callers. */
export function grid(text: string): Grid {
  const [[, ...columns] = [], ...rows] = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.trim().split(/ {2,}/));
  return Object.fromEntries(
    rows.flatMap(([callers = "", ...cells]) => {
      const row = Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]));
      const names = callers.replace("bad key", BAD_KEYS.join(", ")).split(", ");
      return names.map((caller) => [caller, row]);
    }),
  );
}

/** With OAuth access tokens: one is like a full key at its resource, and useless elsewhere. */
export function withTokens(table: Grid, audience: "api" | "mcp" = "api"): Grid {
  const [here = {}, elsewhere = {}] = [table["full key"], table["malformed key"]];
  return {
    ...table,
    "access token": audience === "api" ? here : elsewhere,
    "token for /mcp": audience === "mcp" ? here : elsewhere,
  };
}

/** Without the malformed or the expired key, in turns. */
export function withTwoBadKeys(table: Grid, turn: number): Grid {
  const left = turn % 2 === 0 ? "malformed key" : "expired key";
  return Object.fromEntries(Object.entries(table).filter(([caller]) => caller !== left));
}

/** Formats a grid, so that a difference is shown as a table. */
export function textOf(table: Grid): string {
  const columns = Object.keys(Object.values(table)[0] ?? {});
  const lines = [["", ...columns]];
  for (const [caller, cells] of Object.entries(table)) {
    lines.push([caller, ...columns.map((column) => cells[column] ?? "")]);
  }
  return lines
    .map((line) =>
      line
        .map((cell) => cell.padEnd(25))
        .join("")
        .trimEnd(),
    )
    .join("\n");
}

/** Calls the operation once for each cell, in parallel, and expects the row's grid. */
export async function expectGrid(
  operation: Operation,
  row: Row,
  { db, baseUrl, callers }: { db: Pool; baseUrl: string; callers: Callers },
) {
  const api = apiOf(baseUrl, reused);
  const places = new Places(api, db, callers, row.kind);

  async function cell(caller: string, column: string, expected: string): Promise<string> {
    const [place = "", invalid] = column.split(" + ");
    const isChange = expected === "ok" && (operation.method !== "GET" || row.isChange === true);
    const resource = await places.find(place, caller, isChange);
    const path = pathOf(operation, row, resource);
    const response = await api(row.method ?? operation.method, path, {
      ...(invalid
        ? invalidRequest(operation)
        : {
            body: bodyOf(row, resource),
            query: queryOf(row, resource),
          }),
      headers: callers.headers.get(caller),
    });
    if (response.status !== row.status) return refusalOf(response, operation, baseUrl);
    if (place === "shows") return await places.shownIn(response, caller);
    if (place === "makes") return makerOf(response, callers);
    return "ok";
  }

  expect(textOf(await fill(row.grid, cell))).toBe(textOf(row.grid));
  await places.expectUnchanged();
}

function invalidRequest({ body }: Operation): CallOptions {
  return body ? { body: { unexpected_property: 1 } } : { query: { unexpected_parameter: 1 } };
}

async function fill(
  table: Grid,
  cell: (caller: string, column: string, expected: string) => Promise<string>,
): Promise<Grid> {
  const filled: Grid = {};
  for (const [caller, columns] of Object.entries(table)) {
    filled[caller] = Object.fromEntries(Object.keys(columns).map((column) => [column, ""]));
  }
  // Invalid requests first: a valid one may revoke the key of its caller.
  for (const isInvalid of [true, false]) {
    const rows = Object.entries(table).map(async ([caller, columns]) => {
      const cells = Object.entries(columns)
        .filter(([column]) => column.includes(" + ") === isInvalid)
        .map(async ([column, expected]) => [column, await cell(caller, column, expected)]);
      Object.assign(filled[caller] ?? {}, Object.fromEntries(await Promise.all(cells)));
    });
    await Promise.all(rows);
  }
  return filled;
}

/** The grid's word for a refusal, whose envelope and challenge are checked. */
function refusalOf(response: ApiResponse, { scope, audience }: Operation, baseUrl: string): string {
  const challenge = response.headers.all("www-authenticate").join();
  const { credentialNeeded, invalidCredential, insufficientScope } = challenges(baseUrl, audience);
  const missingScope = insufficientScope.replace("api.write", scope ?? "");
  if (response.text !== "") expectEnvelope(response);
  const code = response.text === "" ? "" : response.body.error.code;
  const [word, expected, codes]: [string, string, string[]] =
    response.status === 401 && challenge === credentialNeeded
      ? ["401 none", credentialNeeded, ["unauthorized", ""]]
      : response.status === 401
        ? ["401", invalidCredential, ["invalid_api_key", ""]]
        : response.status === 403 && challenge === missingScope
          ? ["scope", missingScope, ["insufficient_scope", ""]]
          : response.status === 403
            ? ["403", credentialNeeded, ["forbidden", ""]]
            : response.status === 404
              ? ["404", "", ["resource_not_found", ""]]
              : [`${response.status}`, "", [code]];
  if (challenge !== expected || !codes.includes(code)) {
    expect({ challenge, code }, response.text).toEqual({ challenge: expected, code: codes[0] });
  }
  return word;
}

/** The owner of the new resource. */
function makerOf(response: ApiResponse, { own }: Callers): string {
  const { organization_id } = response.body;
  if (organization_id === null) return "public";
  return organization_id === own.id ? "own" : `that of ${organization_id}`;
}

/** The resources of one grid: a new one for each call that changes it, else one for each column. */
class Places {
  readonly #api: Api;
  readonly #db: Pool;
  readonly #callers: Callers;
  readonly #kind: Make | undefined;
  readonly #shared = new Map<string, Promise<{ resource: Resource; key?: string; text: string }>>();

  constructor(api: Api, db: Pool, callers: Callers, kind: Make | undefined) {
    this.#api = api;
    this.#db = db;
    this.#callers = callers;
    this.#kind = kind;
  }

  async find(place: string, caller: string, isChange: boolean): Promise<Resource | undefined> {
    if (!this.#kind) return undefined;
    if (place === "shows") {
      const shown = ["public", "own", "foreign"];
      await Promise.all(shown.map((one) => this.#share(one, this.#keyOf(one, caller))));
      return undefined;
    }
    const key = this.#keyOf(place, caller);
    if (isChange) return await this.#kind({ api: this.#api, db: this.#db, key });
    return (await this.#share(place, key)).resource;
  }

  /** The resources that a list shows, of one public, one own and one foreign. */
  async shownIn(response: ApiResponse, caller: string): Promise<string> {
    const shown = new Set(response.body.data.map(({ id }) => id));
    const found: string[] = [];
    for (const place of ["public", "own", "foreign"]) {
      const { resource } = await this.#share(place, this.#keyOf(place, caller));
      if (shown.has(resource.params.id ?? "")) found.push(place);
    }
    return found.join(" and ") || "nothing";
  }

  /** Shared resources are only read, or refused, so none may have changed. */
  async expectUnchanged() {
    for (const [id, shared] of this.#shared) {
      const place = id.split(" ")[0];
      const { resource, key, text } = await shared;
      if (text === "") continue;
      const now = await this.#api("GET", resource.path, { key });
      expect(now.text, `${place} has changed`).toBe(text);
    }
  }

  #share(place: string, key: string | undefined) {
    const id = `${place} ${key}`;
    const known = this.#shared.get(id);
    if (known) return known;
    const made = this.#make(place, key);
    this.#shared.set(id, made);
    return made;
  }

  async #make(place: string, key: string | undefined) {
    if (!this.#kind) throw new Error(`A grid with the column ${place} needs a kind.`);
    const resource = await this.#kind({ api: this.#api, db: this.#db, key });
    if (place === "deleted") {
      expectStatus(await this.#api("DELETE", resource.path, { key }), 204);
      return { resource, text: "" };
    }
    const { text } = await this.#api("GET", resource.path, { key });
    return { resource, ...(key !== undefined && { key }), text };
  }

  #keyOf(place: string, caller: string): string | undefined {
    if (place === "public") return undefined;
    if (place === "foreign") return this.#callers.foreign.key;
    // Only callers who may read the inbox get 404 for a deleted event.
    if (place === "deleted" && !this.#callers.headers.get(caller)?.authorization) return undefined;
    return (caller === "pre-claim agent" ? this.#callers.agent : this.#callers.own).key;
  }
}
