import { mediaTypeOf } from "@/lib/platform/bodies/content";
import { type HttpRequest, readBytes } from "@/lib/platform/http/request";
import { invalidRequest } from "./error";

const FORM_BYTES_MAX = 16_384;
const VALUE_LENGTH_MAX = 2000;

export type Parameters = ReadonlyMap<string, string>;

/** Reads a form-encoded body. Throws 400 `invalid_request`, or 413. */
export async function readForm(request: HttpRequest): Promise<Parameters> {
  if (mediaTypeOf(request.headers.get("content-type")) !== "application/x-www-form-urlencoded") {
    throw invalidRequest("The Content-Type must be application/x-www-form-urlencoded.");
  }
  const bytes = await readBytes(request, FORM_BYTES_MAX);
  const found = parametersOf(new URLSearchParams(Buffer.from(bytes).toString("utf8")));
  if ("problem" in found) throw invalidRequest(found.problem);
  return found.parameters;
}

/**
 * The OAuth parameters of a request. An empty one counts as absent (RFC 6749 §3.1), and several
 * `resource` are one with spaces (RFC 8707 §2). `problem` names one that is repeated or too long;
 * `parameters` has the others.
 */
export function parametersOf(
  pairs: Iterable<[string, string]>,
): { parameters: Parameters } | { parameters: Parameters; problem: string } {
  const parameters = new Map<string, string>();
  const refused = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (value === "" || refused.has(name)) continue;
    const former = parameters.get(name);
    const problem = problemOf(name, value, former);
    const isOneMore = former !== undefined && name === REPEATABLE;
    parameters.set(name, isOneMore ? `${former} ${value}` : value);
    if (problem !== undefined) refused.set(name, problem);
  }
  for (const name of refused.keys()) parameters.delete(name);
  const [problem] = refused.values();
  return problem === undefined ? { parameters } : { parameters, problem };
}

/** The parameter. Throws 400 `invalid_request` if it is absent. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
}

function problemOf(name: string, value: string, former: string | undefined) {
  const known = KNOWN.includes(name);
  if (former !== undefined && known && name !== REPEATABLE) return `${name} is repeated.`;
  if (known && value.length > VALUE_LENGTH_MAX) {
    return `${name} has more than ${VALUE_LENGTH_MAX} characters.`;
  }
  return undefined;
}

const REPEATABLE = "resource";

/** Unknown parameters are ignored (RFC 6749 §3.1). */
const KNOWN = [
  "client_id",
  "redirect_uri",
  "response_type",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "grant_type",
  "code",
  "code_verifier",
  "device_code",
  "refresh_token",
  "client_secret",
  "client_assertion",
  "token",
  "token_type_hint",
];
