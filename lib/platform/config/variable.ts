import { isIP } from "node:net";
import * as z from "zod";
import { type Network, parseNetwork } from "@/lib/platform/addresses";

/** An environment variable. Its default and meaning are Markdown. */
export interface Variable {
  schema: z.ZodType;
  default: string;
  meaning: string;
}

/** A variable that may be unset. */
export function optional<Schema extends z.ZodType>(schema: Schema, meaning: string) {
  return { schema: schema.optional(), default: "none", meaning };
}

/** A boolean that is true unless it is set. */
export function flag(meaning: string) {
  return { schema: bool.default(true), default: "`true`", meaning };
}

/** Fewer words than zod's own, so that a message can name them all. */
export const bool = z.stringbool({
  truthy: ["true", "yes", "on", "1"],
  falsy: ["false", "no", "off", "0"],
});

export function integer(
  { min, max, default: value }: { min: number; max?: number; default: number },
  meaning: string,
) {
  return { schema: whole(min, max).default(value), default: `\`${value}\``, meaning };
}

/** An integer in these bounds. */
export function whole(min: number, max = Number.MAX_SAFE_INTEGER) {
  return z.string().transform((text, context) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    context.addIssue(`must be an integer ${bounds}`);
    return z.NEVER;
  });
}

export function retentionDays(days: number, what: string) {
  return integer({ min: 0, max: 36_500, default: days }, `Days after which ${what}; 0: never.`);
}

const SSL_MODES = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

/** Returns the URL of a Postgres server unchanged, if the driver accepts it. */
export function parseDatabaseUrl(text: string, context: z.RefinementCtx): string {
  const problem = problemOf(text);
  if (problem) context.addIssue(problem);
  return text;
}

function problemOf(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return "must begin with postgresql://";
  const [, place = ""] = /^\w+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(text) ?? [];
  if (place.includes(",") || /[?&]host=[^&]*,/.test(text)) {
    return "must name one host; give the servers of a cluster one name or a pooler";
  }
  // Without a host, the parameter `host` names it, such as a socket's folder.
  const whole = text.replace("@/", "@localhost/");
  if (!URL.canParse(whole)) {
    return "is not a valid URL; write special characters of the password as %2F and the like";
  }
  const mode = new URL(whole).searchParams.get("sslmode");
  if (mode === null || SSL_MODES.includes(mode)) return undefined;
  return `sslmode must be one of ${SSL_MODES.join(", ")}`;
}

/** A zod transform: parses networks such as `10.0.0.0/8, ::1`. */
export function parseNetworks(list: string, context: z.RefinementCtx): Network[] {
  const entries = list.split(",").map((part) => part.trim());
  const networks: Network[] = [];
  for (const entry of entries) {
    if (entry === "") continue;
    const network = parseNetwork(entry);
    if (!network) {
      context.addIssue(`"${entry}" is not a network such as 10.0.0.0/8`);
      return z.NEVER;
    }
    networks.push(network);
  }
  return networks;
}

/** Like `parseNetworks`, with `none` for no network, since an empty variable means the default. */
export function parseProxies(list: string, context: z.RefinementCtx) {
  return parseNetworks(list.trim() === "none" ? "" : list, context);
}

/** A zod transform: parses name servers such as `192.0.2.1:53, [2001:db8::1]`. */
export function parseServers(list: string, context: z.RefinementCtx) {
  const servers = list
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  for (const server of servers) {
    const [, bracketed, plain] = /^(?:\[(.*)\]|([^:]*))(?::\d{1,5})?$/.exec(server) ?? [];
    if (isIP(bracketed ?? plain ?? server) !== 0 || isIP(server) === 6) continue;
    context.addIssue(
      `"${server}" is not an address such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53`,
    );
    return z.NEVER;
  }
  return servers;
}
