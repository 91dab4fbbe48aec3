import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { fromNetwork } from "@/lib/identity/anonymous";
import { markForeignPage } from "@/lib/identity/sessions/foreign-origin";
import { endSession, SESSION_SECONDS_MAX } from "@/lib/identity/sessions/sessions";
import { type Account, findVisitor, type Visitor } from "@/lib/identity/sessions/visitor";
import type { Caller } from "@/lib/platform/caller";
import { config } from "@/lib/platform/config/config";
import { ApiError } from "@/lib/platform/errors";
import { clientAddress } from "@/lib/platform/http/address";
import { beginPage } from "@/lib/platform/limits/page-turn";
import { actorOf } from "@/lib/resources/change";

/** The visitor of this page, from the session cookie. Read once per request. */
export const visitor = cache(() => readVisitor(true));

/** The visitor, for polls and streams of an open page, which must not keep its session alive. */
export function watcher(): Promise<Visitor> {
  return readVisitor(false);
}

async function readVisitor(isUse: boolean): Promise<Visitor> {
  const { caller, account } = await findVisitor(await sessionToken(), isUse);
  const known = account ? caller : fromNetwork(await visitorAddress());
  return { caller: markForeignPage(known, (await headers()).get("origin"), "form"), account };
}

/**
 * Whose page this is: the person or key, and the organization. Forms send it, so that none acts for
 * someone else. Signing in again does not change it. Undefined for a visitor who is signed out.
 */
export function ownerOf({ caller, account }: Visitor): string | undefined {
  return account ? `${actorOf(caller)} ${account.organization.id}` : undefined;
}

/** The person or key alone, which is enough for forms that name their organization themselves. */
export function signedInAs({ caller, account }: Visitor): string | undefined {
  return (account && actorOf(caller)) ?? undefined;
}

/** The signed-in caller and account; redirects to the sign-in page if there is none. */
export async function requireSignIn(here: string): Promise<{ caller: Caller; account: Account }> {
  const { caller, account } = await visitor();
  if (!account) redirect(`/sign-in?next=${encodeURIComponent(here)}`);
  return { caller, account };
}

/** The account of a form action. Throws 401 if the session has ended. */
export async function requireAccount(): Promise<{ caller: Caller; account: Account }> {
  const { caller, account } = await visitor();
  if (!account) throw signedOut();
  return { caller, account };
}

/**
 * Throws 401 unless the visitor is still signed in as this caller, and a member of their organization. For
 * work that takes long.
 */
export async function assertSignedInAs(caller: Caller): Promise<void> {
  if (caller.kind === "anonymous") return;
  const { caller: now, account } = await watcher();
  const isMember = account?.memberships.some((one) => one.organizationId === caller.organizationId);
  if (actorOf(now) !== actorOf(caller)) throw signedOut();
  if (now.kind === "user" && !isMember) {
    throw new ApiError("unauthorized", "You are no longer a member of this organization.");
  }
}

function signedOut() {
  return new ApiError("unauthorized", "You are signed out. Sign in and try again.");
}

/** The token in the session cookie, which every page and form reads first. */
export async function sessionToken(): Promise<string | undefined> {
  beginPage();
  return (await cookies()).get(cookieName())?.value;
}

export async function setSessionToken(token: string): Promise<void> {
  (await cookies()).set(cookieName(), token, { ...attributes(), maxAge: SESSION_SECONDS_MAX });
}

export async function clearSessionToken(): Promise<void> {
  (await cookies()).set(cookieName(), "", { ...attributes(), maxAge: 0 });
}

/** Ends the session of this browser, if there is one. */
export async function endThisSession(): Promise<void> {
  const token = await sessionToken();
  if (token !== undefined) await endSession(token);
  await clearSessionToken();
}

/** The client's IP address, determined as in the API. */
export async function visitorAddress(): Promise<string | null> {
  return clientAddress({ headers: await headers() });
}

/** No path of ours is longer. Parsing and encoding megabytes takes seconds. */
const PATH_LENGTH_MAX = 16_000;

/** A same-origin path to open after sign-in; anything else becomes the overview. */
export function safeRedirectPath(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/")) return "/dashboard";
  if (next.length > PATH_LENGTH_MAX) return "/dashboard";
  try {
    const url = new URL(next, "http://ours.invalid");
    // Resolving dots can leave two slashes at the start, after which the browser would read a host.
    const ours = url.origin === "http://ours.invalid" && !url.pathname.startsWith("//");
    return ours ? url.pathname + url.search : "/dashboard";
  } catch {
    return "/dashboard";
  }
}

/** A sibling domain cannot set a `__Host-` cookie. Browsers accept one over https only. */
function cookieName() {
  return isSecure() ? "__Host-session" : "session";
}

function attributes() {
  return { httpOnly: true, sameSite: "lax", secure: isSecure(), path: "/" } as const;
}

function isSecure() {
  return config().baseUrl.startsWith("https:");
}
