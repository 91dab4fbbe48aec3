import type * as z from "zod";

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
