import * as z from "zod";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { text } from "@/lib/platform/http/fields";
import { isObject } from "@/lib/platform/http/request";
import { isKnownBlocked, mayBeAllowed, publicRules } from "@/lib/platform/outbound/policy";

/** The codes for a URL and for headers that are refused. */
export const TARGET_ERRORS = ["url_not_allowed", "header_not_allowed"] as const;
export const HEADERS_MAX = 50;
export const HEADERS_BYTES_MAX = 16_384;
/** In ASCII. No DNS name is longer, and a longer host may not fit into an index. */
const HOST_CHARACTERS_MAX = 253;
/** The host of stored URLs whose own is longer. */
export const NO_HOST = "https://host.invalid";

/** A target URL: http or https, without user info, and of no address that delivery would refuse. */
export const targetUrl = text({ min: 1, max: 2000 })
  .check((context) => {
    const problem = urlProblem(context.value);
    if (!problem) return;
    const { message, errorCode } = problem;
    context.issues.push({ code: "custom", message, input: context.value, params: { errorCode } });
  })
  .describe("An http or https URL, without user name and password.");

interface HeaderRules {
  max: number;
  bytesMax: number;
  /** Names that are refused besides those that no request may have. */
  reserved?: RegExp;
  value?: RegExp;
}

/** Custom headers. Not a `z.record`, which skips a key named `__proto__`. */
export function headersOf(rules: HeaderRules) {
  return (
    z
      .unknown()
      .check((context) => {
        for (const issue of headerProblems(context.value, rules)) {
          context.issues.push({ ...issue, input: context.value });
        }
      })
      // Guaranteed by the check above.
      .transform((value) => value as Record<string, string>)
      .meta({
        type: "object",
        additionalProperties: { type: "string" },
        maxProperties: rules.max,
      })
  );
}

export const targetHeaders = headersOf({ max: HEADERS_MAX, bytesMax: HEADERS_BYTES_MAX }).describe(
  "Headers to send, by name.",
);

/**
 * Throws 403 when a foreign web page targets this machine or a private network. Names that resolve
 * there are refused at delivery, by `public_only`. `param` is the field that has the URL.
 */
export function assertReachable(caller: Caller, url: string, param = "url"): void {
  if (!caller.foreignPage || !isKnownBlocked(new URL(url), publicRules())) return;
  const advice =
    caller.foreignPage === "form"
      ? `Open the dashboard at ${config().baseUrl}.`
      : "Call the API without an Origin header.";
  throw new ApiError(
    "forbidden",
    `A web page from another origin may not send to this machine or a private network. ${advice}`,
    { param },
  );
}

/** Scheme, host and port. Deliveries to each are limited, and less frequent while it is down. */
export function hostOf(url: string): string {
  const parsed = new URL(url);
  return isLong(parsed) ? NO_HOST : parsed.origin;
}

/** How pages show an HTTPS URL: without `https://`. */
export function withoutScheme(url: string): string {
  return url.replace(/^https:\/\//, "");
}

function isLong({ hostname }: URL): boolean {
  return hostname.replace(/\.$/, "").length > HOST_CHARACTERS_MAX;
}

function urlProblem(text: string): { message: string; errorCode?: string } | undefined {
  if (!URL.canParse(text)) return { message: "must be an absolute http or https URL" };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return { message: "must be an http or https URL" };
  }
  if (url.username !== "" || url.password !== "") {
    return { message: "must not contain a user name or password; send a header instead" };
  }
  if (isLong(url)) {
    return { message: `must have a host of at most ${HOST_CHARACTERS_MAX} characters in ASCII` };
  }
  if (isKnownBlocked(url)) {
    const message = "points to a private or reserved address; use a public URL";
    const way =
      config().localMode && mayBeAllowed(url)
        ? ", or start the server with its network in DELIVERY_ALLOW_CIDRS"
        : "";
    return { message: message + way, errorCode: "url_not_allowed" };
  }
  return undefined;
}

/** Whether a recorded header may be resent unchanged. */
export function isSenderHeader(name: string, value: string): boolean {
  return TOKEN.test(name) && FIELD_VALUE.test(value) && !OF_CONNECTION.test(name);
}

/** Whether `targetHeaders` accepts this header. */
export function isTargetHeader(name: string, value: string): boolean {
  return headerProblem(name, value, {}) === undefined;
}

type Issue = Omit<z.core.$ZodIssueCustom, "input" | "message"> & { message: string };

function headerProblems(value: unknown, { max, bytesMax, ...rules }: HeaderRules): Issue[] {
  if (!isObject(value)) {
    return [{ code: "custom", path: [], message: "must be an object of strings" }];
  }
  const entries = Object.entries(value);
  if (entries.length > max) {
    return [{ code: "custom", path: [], message: `must have at most ${max} headers` }];
  }
  const problems = entries.flatMap(([name, header]) => headerProblem(name, header, rules) ?? []);
  const size = entries.reduce(
    (sum, [name, header]) => sum + name.length + String(header).length,
    0,
  );
  if (problems.length === 0 && size > bytesMax) {
    return [{ code: "custom", path: [], message: `must have at most ${bytesMax} bytes` }];
  }
  return problems;
}

function headerProblem(
  name: string,
  value: unknown,
  { reserved, value: allowed = FIELD_VALUE }: Pick<HeaderRules, "reserved" | "value">,
): Issue | undefined {
  const issue = (message: string, errorCode = "header_not_allowed"): Issue => {
    return { code: "custom", path: [name], message, params: { errorCode } };
  };
  if (typeof value !== "string") return issue("must be a string", "invalid_param");
  if (!TOKEN.test(name)) return issue("is not a valid header name");
  if (OF_CONNECTION.test(name) || SERVICE_HEADERS.test(name) || reserved?.test(name)) {
    return issue("is a reserved header");
  }
  if (!allowed.test(value)) return issue("has characters that are not allowed in a header value");
  return undefined;
}

// RFC 9110 §5.6.2 and §5.5; values are sent as ISO 8859-1.
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const OF_CONNECTION =
  /^(host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;
const SERVICE_HEADERS = /^webhook-.*$/i;
