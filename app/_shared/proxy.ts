import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { PATH_HEADER } from "@/app/_shared/path-header";
import { config } from "@/lib/platform/config/config";
import { ApiError, type ErrorCode } from "@/lib/platform/errors";
import { prefersHtml, readsText } from "@/lib/platform/http/accept";
import { toApiError } from "@/lib/platform/http/error-envelope";
import { assertForm, assertReadable } from "@/lib/platform/http/form-size";
import {
  missingPage,
  REQUEST_ID_HEADER,
  refusedPage,
  requestIdOf,
} from "@/lib/platform/http/missing-page";
import { plainPage } from "@/lib/platform/http/plain-page";
import type { HttpResponse } from "@/lib/platform/http/response";
import { ownServer } from "@/lib/platform/process";
import { END_MESSAGES, findShared } from "@/lib/resources/artifacts/shared";
import { STORED_CONTENT } from "@/lib/resources/stored-content";

/** Rejects forms from other sites and those that take long to parse, and sets the Content Security Policy of pages. */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  if (!isDecodable(pathname)) {
    if (!pathname.startsWith("/api/")) return toNext(missingPage(request));
    const url = new URL(request.url);
    url.pathname = pathname.replaceAll("%", "%25");
    return NextResponse.rewrite(url);
  }
  if (/^\/(?:api|docs)\//.test(pathname)) return NextResponse.next();
  if (isForeignPost(request)) {
    return refusal(request, "forbidden", "Forms from other sites are not accepted.");
  }
  const refused = await refusedForm(request);
  if (refused) return refused;
  if (STORED.test(pathname)) return NextResponse.next();
  // Next also routes /artifacts/preview/vie%77, whose document would get the policy of a page.
  if (STORED.test(decodeURIComponent(pathname))) return toNext(missingPage(request));
  const isShared = pathname.startsWith("/a/");
  if (isShared && !["GET", "HEAD"].includes(request.method)) {
    const allowed = { Allow: "GET, HEAD" };
    return refusal(request, "method_not_allowed", "Shared documents are read-only.", allowed);
  }
  const ended = isShared ? await endedPage(pathname, request) : undefined;
  if (ended) return ended;
  if (pathname === "/" && wantsText(request)) {
    return NextResponse.rewrite(new URL("/llms.txt", request.url));
  }
  const nonce = randomBytes(16).toString("base64");
  const policy = isShared ? sharedPolicy(nonce) : contentSecurityPolicy(nonce, request);
  const headers = new Headers(request.headers);
  // Next reads the nonce from this header and adds it to its scripts.
  headers.set("Content-Security-Policy", policy);
  headers.set(PATH_HEADER, pathname);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  response.headers.set(REQUEST_ID_HEADER, requestIdOf(request.headers));
  const { NEXT_DEPLOYMENT_ID: version } = process.env;
  if (version) response.headers.set("Deployment-Id", version);
  if (config().baseUrl.startsWith("https:")) {
    response.headers.set("Strict-Transport-Security", "max-age=31536000");
  }
  return response;
}

function refusal(
  request: NextRequest,
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): NextResponse {
  return toNext(refusedPage(request.headers, new ApiError(code, message, { headers })));
}

function toNext({ status, headers, body }: HttpResponse): NextResponse {
  return new NextResponse(body instanceof ReadableStream ? null : body, { status, headers });
}

/** The refusal of a form that takes long to parse or cannot be read. Our own server refuses it itself. */
async function refusedForm(request: NextRequest): Promise<NextResponse | undefined> {
  if (request.method !== "POST" || ownServer.isRunning) return undefined;
  // Next keeps the whole body, and hands on its own copy.
  const body = Buffer.from(await request.arrayBuffer());
  try {
    assertForm(body, request.headers, request.nextUrl.pathname);
    await assertReadable(body, request.headers, request.nextUrl.pathname);
    return undefined;
  } catch (error) {
    return toNext(refusedPage(request.headers, toApiError(error)));
  }
}

/**
 * The 404 of a share link that shows nothing, with the reason; undefined if the link works. It is
 * not a Next page, whose 404 gives no reason without scripts.
 */
async function endedPage(path: string, request: NextRequest): Promise<NextResponse | undefined> {
  // If the database is down, the page says so.
  const shared = await findShared(path.split("/")[2] ?? "").catch(() => undefined);
  if (!shared || shared.ended === null) return undefined;
  if (!prefersHtml(request.headers.get("accept"))) {
    return refusal(request, "resource_not_found", END_MESSAGES[shared.ended]);
  }
  const body = plainPage({
    title: "This link does not work",
    sentences: [END_MESSAGES[shared.ended], "Ask the person who sent it to you for a new one."],
  });
  return new NextResponse(body, {
    status: 404,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      [REQUEST_ID_HEADER]: requestIdOf(request.headers),
      Vary: "Accept",
      "Content-Security-Policy":
        "default-src 'none'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  });
}

/** Clients that do not accept HTML get `/llms.txt` as the home page. */
function wantsText({ method, headers }: NextRequest): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return readsText(headers.get("accept"), headers.get("sec-fetch-site"));
}

/** Next would respond with 500 to an undecodable path. Our own server replaces such paths. */
function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** Browsers always send these headers with a form; other clients have no cookies to abuse. */
function isForeignPost(request: NextRequest): boolean {
  if (["GET", "HEAD", "OPTIONS"].includes(request.method)) return false;
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  if (origin === null) return false;
  const { baseUrl, localMode, isPreview } = config();
  if (origin === new URL(baseUrl).origin) return false;
  const host = request.headers.get("host");
  return (
    !(localMode && origin === `http://${host}`) && !(isPreview && origin === `https://${host}`)
  );
}

const STORED = new RegExp(`^/${STORED_CONTENT}`);

/** Printing puts a rendered document into its page. */
const DOCUMENT_IMAGES = "https: data:";

/** A share page shows an untrusted document in a frame and has no forms. */
function sharedPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    ...scriptsAndStyles(nonce),
    `img-src 'self' ${DOCUMENT_IMAGES}`,
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function contentSecurityPolicy(nonce: string, { nextUrl }: NextRequest): string {
  const isDocument = nextUrl.pathname.startsWith("/artifacts/");
  return [
    "default-src 'self'",
    ...scriptsAndStyles(nonce),
    `img-src 'self' ${isDocument ? DOCUMENT_IMAGES : "data:"}`,
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function scriptsAndStyles(nonce: string): string[] {
  const { development } = config();
  return [
    // React's development build uses eval and inline styles for its error overlay.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    development ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
  ];
}
