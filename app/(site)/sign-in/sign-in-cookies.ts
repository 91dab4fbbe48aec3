import { cookies } from "next/headers";
import * as z from "zod";
import { config } from "@/lib/platform/config/config";

const COOKIE = "sign-in";
const SECONDS = 600;
const KNOWN_COOKIE = "known-browser";
/** The longest lifetime that browsers allow a cookie. */
const KNOWN_SECONDS = 400 * 86_400;

const Attempt = z.object({ id: z.string(), email: z.string() });

/** The sign-in in progress: the address that a code was sent to. */
export async function pendingSignIn(): Promise<z.infer<typeof Attempt> | undefined> {
  const text = (await cookies()).get(COOKIE)?.value;
  if (text === undefined) return undefined;
  try {
    return Attempt.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export async function setPendingSignIn(attempt: z.infer<typeof Attempt>): Promise<void> {
  (await cookies()).set(COOKIE, JSON.stringify(attempt), { ...attributes(), maxAge: SECONDS });
}

export async function clearPendingSignIn(): Promise<void> {
  (await cookies()).set(COOKIE, "", { path: "/sign-in", maxAge: 0 });
}

/** The proof of an earlier sign-in in this browser, which gives it its own code limit. */
export async function browserProof(): Promise<string | undefined> {
  return (await cookies()).get(KNOWN_COOKIE)?.value;
}

export async function setBrowserProof(proof: string): Promise<void> {
  (await cookies()).set(KNOWN_COOKIE, proof, { ...attributes(), maxAge: KNOWN_SECONDS });
}

function attributes() {
  return {
    httpOnly: true,
    sameSite: "lax",
    secure: config().baseUrl.startsWith("https:"),
    path: "/sign-in",
  } as const;
}
