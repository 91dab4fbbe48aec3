import fc from "fast-check";
import { kinds } from "@/lib/resources/kinds";
import type { Document, Operation } from "../support/openapi";
import { bodyText, hostileText, known, validValue } from "./values";

/** One request of a chain, which can be printed and repeated. */
export interface Step {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Sent twice, as by a client that lost the response. */
  again: boolean;
}

/** Creates a few resources, then calls random operations on them, in sequence or in parallel. */
export interface Chain {
  first: Step[];
  next: Step[];
  atOnce: boolean;
}

/** Most of a chain stays within one tag, where operations find each other's resources. */
export function chainOf(document: Document): fc.Arbitrary<Chain> {
  const all = document.operations;
  const makes = ({ method, responses }: Operation) => method === "POST" && responses[201];
  const creates = all.filter(makes);
  const tags = [...new Set(all.map(({ tag }) => tag))];
  return fc.constantFrom(...tags).chain((tag) => {
    const near = all.filter((operation) => operation.tag === tag);
    const first = near.some(makes) ? near.filter(makes) : creates;
    const next = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...near) },
      { weight: 1, arbitrary: fc.constantFrom(...all) },
    );
    const made = fc.constantFrom(...first).chain((operation) => validStep(document, operation));
    const tried = next.chain((operation) => anyStep(document, operation));
    return fc.record({
      first: fc.array(made, { minLength: 2, maxLength: 5 }),
      next: fc.array(tried, { minLength: 1, maxLength: 15 }),
      atOnce: fc.boolean(),
    });
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
    again: fc.constant(false),
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
    again: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
}

/** An event is mostly looked up in its own inbox or endpoint: a 404 would test little. */
function knownPath({ path }: Operation): fc.Arbitrary<string> {
  const kind = [...ID_PREFIXES].find(([start]) => path.startsWith(start))?.[1] ?? "any";
  const event = path.startsWith("/api/inboxes") ? "iev" : "wev";
  const needsLease = /\/(ack|nack|extend|lease)$/.test(path);
  return fc.tuple(fc.constantFrom(0, 0, 0, 1, 2), fc.boolean()).map(([back, leased]) => {
    const own = leased && needsLease ? `parent_of_lse:${back}@@` : `${event}:${back}@@`;
    const id = leased && needsLease && kind === "tsk" ? "parent_of_lse" : kind;
    return path
      .replace(/\{id\}(?=.*\{eventId\})/, `@@parent_of_${own}`)
      .replace("{id}", `@@${id}:${back}@@`)
      .replace("{eventId}", `@@${own}`)
      .replace("{token}", `@@share:${back}@@`)
      .replace("{external_id}", "a")
      .replace("{part}", "tasks.json")
      .replaceAll(/\{\w+\}/g, `@@shr:${back}@@`);
  });
}

/** The prefix of the IDs in these paths. */
const ID_PREFIXES = new Map<string, string>([
  ...kinds.map(({ name, prefix }) => [`/api/${name}`, prefix] as const),
  ["/api/catch", "wh"],
  ["/api/claim", "parent_of_clm"],
]);

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
    // Skip valid waits; they only slow the run.
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
  ...Array(20).fill("Bearer @@key@@"),
  "bearer   @@key@@",
  "Bearer @@otherkey@@",
  "Bearer @@otherkey@@",
  "Bearer @@readkey@@",
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
  "idempotency-key": [
    "a",
    "a-key-of-enough-characters",
    "",
    "x".repeat(255),
    "x".repeat(256),
    "\u00e9",
    "a\tb",
  ],
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
        { weight: 4, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.constant([["idempotency-key", "a-key-of-enough-characters"]]) },
        { weight: 2, arbitrary: fc.array(odd, { maxLength: 3 }) },
      ),
    )
    .map(([authorization, pairs]) => ({
      ...Object.fromEntries(pairs),
      ...(authorization !== null && { authorization }),
    }));
}
