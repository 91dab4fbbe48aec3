import fc from "fast-check";
import type { Document, Operation } from "./document";
import { bodyText, hostileText, known, validValue } from "./values";

/** One request of a chain, as it can be printed and sent again. */
export interface Step {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A chain makes a few resources and does what it likes to them, one after the other or all at once. */
export interface Chain {
  first: Step[];
  next: Step[];
  atOnce: boolean;
}

export function chainOf(document: Document): fc.Arbitrary<Chain> {
  const operations = document.operations;
  const creates = operations.filter(
    ({ method, responses }) => method === "POST" && responses[201] !== undefined,
  );
  return fc.record({
    first: fc.array(
      fc.constantFrom(...creates).chain((one) => validStep(document, one)),
      {
        minLength: 2,
        maxLength: 4,
      },
    ),
    next: fc.array(
      fc.constantFrom(...operations).chain((one) => anyStep(document, one)),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
    atOnce: fc.boolean(),
  });
}

function validStep(document: Document, operation: Operation): fc.Arbitrary<Step> {
  const { body, method } = operation;
  return fc.record({
    method: fc.constant(method),
    path: knownPath(operation),
    headers: fc.constantFrom<Record<string, string>>({}, { authorization: "Bearer @@key@@" }),
    body: body
      ? validValue(document, body.schema).map((value) => JSON.stringify(value))
      : fc.constant(undefined),
  });
}

function anyStep(document: Document, operation: Operation): fc.Arbitrary<Step> {
  const { body } = operation;
  const path = fc.oneof(
    { weight: 9, arbitrary: knownPath(operation) },
    { weight: 1, arbitrary: hostilePath(operation) },
  );
  return fc.record({
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constant(operation.method) },
      fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
    ),
    path: fc.tuple(path, queryOf(document, operation)).map((parts) => parts.join("")),
    headers: headersOf(),
    body: body
      ? fc.option(bodyText(document, body.schema), { freq: 20, nil: undefined })
      : fc.option(fc.constantFrom("{}", "x"), { freq: 1, nil: undefined }),
  });
}

/** An event is looked for where it is, as a stranger's would be 404 and teach nothing. */
function knownPath({ path }: Operation): fc.Arbitrary<string> {
  const kind = Object.entries(KINDS).find(([start]) => path.startsWith(start))?.[1] ?? "any";
  const event = kind === "inbox" ? "iev" : "wev";
  return fc.constantFrom(0, 0, 0, 1, 2).map((back) =>
    path
      .replace(/\{id\}(?=.*\{eventId\})/, `@@parent_of_${event}:${back}@@`)
      .replace("{id}", `@@${kind}:${back}@@`)
      .replace("{eventId}", `@@${event}:${back}@@`)
      .replace("{token}", `@@share:${back}@@`)
      .replace("{external_id}", "a")
      .replace("{tag}.json", "tasks.json")
      .replaceAll(/\{\w+\}/g, `@@shr:${back}@@`),
  );
}

const KINDS: Record<string, string> = {
  "/api/tasks": "tsk",
  "/api/artifacts": "art",
  "/api/webhooks": "wh",
  "/api/catch": "wh",
  "/api/inboxes": "inbox",
  "/api/messages": "msg",
};

function hostilePath({ path }: Operation): fc.Arbitrary<string> {
  const segment = fc.oneof(
    hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom("%", "%zz", "%00", "%ff", "%ed%a0%80", "%2e%2e", "%2f", "a;b", "~"),
    known("any"),
  );
  const filled = fc
    .array(segment, { minLength: 3, maxLength: 3 })
    .map((values) => path.replaceAll(/\{\w+\}/g, () => values.shift() || "x"));
  return fc
    .tuple(filled, fc.constantFrom("", "", "", "/", "//", "/x", "/%ff"))
    .map((parts) => parts.join(""));
}

function queryOf(document: Document, { query }: Operation): fc.Arbitrary<string> {
  const valid = query.map(({ name, schema }) =>
    fc
      .option(name === "after" ? known("any") : validValue(document, schema, name), { freq: 1 })
      .map((value) =>
        value === null
          ? []
          : [value].flat().map((one) => `${name}=${encodeURIComponent(wellFormed(one))}`),
      ),
  );
  const names = [...query.map(({ name }) => name), "unexpected", "__proto__", "limit", "%ff", ""];
  const hostile = fc
    .tuple(
      fc.constantFrom(...names),
      fc.oneof(
        hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
        fc.constantFrom("%", "%ff", "%00", "1&limit=2", "-1", "1e3", "99999999999999999999"),
      ),
    )
    // A wait of a valid length only costs time.
    .map(([name, value]) => [`${name}=${name.startsWith("wait") ? "x" : value}`]);
  return fc
    .tuple(
      fc.tuple(...valid),
      fc.oneof({ weight: 6, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: hostile }),
    )
    .map(([pairs, extra]) => [...pairs.flat(), ...extra])
    .map((pairs) => (pairs.length === 0 ? "" : `?${pairs.join("&")}`));
}

function wellFormed(value: unknown): string {
  return (typeof value === "string" ? value : JSON.stringify(value)).toWellFormed();
}

const CREDENTIALS = [
  "Bearer @@key@@",
  "Bearer @@key@@",
  "Bearer @@key@@",
  "Bearer @@key@@",
  "bearer   @@key@@",
  "Bearer @@otherkey@@",
  "Bearer @@readkey@@",
  "Bearer @@clm:0@@",
  "Bearer @@any:0@@",
  "Bearer",
  "Bearer ",
  "",
  "Basic c3ZjOg==",
  "Bearer svc_live_",
  "Bearer svc_live_\u00e9",
  "Bearer @@key@@, Bearer @@key@@",
  `Bearer svc_live_${"a".repeat(4000)}`,
];

const ODD: Record<string, string[]> = {
  "idempotency-key": ["a", "b", "", "x".repeat(255), "x".repeat(256), "\u00e9", "a\tb"],
  "if-match": ["*", '"x"', "@@etag@@", 'W/"x"', '"', ",,", "x"],
  "if-none-match": ["*", '"x"', "@@etag@@", 'W/"x"', '"', ",,", "x"],
  "content-type": ["application/json", "text/plain", "application/json; charset=utf-16", ";;", "x"],
  "content-encoding": ["gzip", "identity", "x"],
  accept: ["text/html", "text/markdown", "application/json", "*/*", ";;q=,", "x"],
  origin: ["https://evil.example", "null", "http://localhost", "x"],
  host: ["evil.example", "localhost", "127.0.0.1:1", "x"],
  "x-forwarded-for": ["1.2.3.4", "::1, 10.0.0.1", "x", ",,"],
  "x-forwarded-host": ["evil.example"],
  "last-event-id": ["@@wev:0@@", "wev_0", "x", ""],
  range: ["bytes=0-0", "bytes=-1", "bytes=5-1", "bytes=0-0,2-3", "bytes=99999999-", "x"],
  "inbox-ttl-seconds": ["60", "0", "x", "-1", "2592001"],
  cookie: ["session=x", "session=@@key@@; session=y", ";;="],
  "access-control-request-method": ["GET", "x"],
};

function headersOf(): fc.Arbitrary<Record<string, string>> {
  const odd = fc
    .constantFrom(...Object.entries(ODD))
    .chain(([name, values]) => fc.constantFrom(...values).map((value) => [name, value] as const));
  return fc
    .tuple(
      fc.option(fc.constantFrom(...CREDENTIALS), { freq: 2 }),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(odd, { maxLength: 3 }) },
      ),
    )
    .map(([authorization, pairs]) => ({
      ...Object.fromEntries(pairs),
      ...(authorization !== null && { authorization }),
    }));
}
