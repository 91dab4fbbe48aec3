import type { NextRequest, NextResponse } from "next/server";

/**
 * Runs before every page, and elsewhere only for paths that may be undecodable: for it, Next keeps the whole
 * body in memory. The first request of any path loads this file, so it loads the rest itself.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { proxy } = await import("@/app/_shared/proxy");
  return proxy(request);
}

export const config = {
  matcher: [
    "/(.*%(?:[89a-fA-F]|(?![0-9a-fA-F]{2})).*)",
    "/((?!api(?:/|$)|_next/static/|\\.well-known/|openapi(?:\\.json|/)|auth\\.md|client\\.tgz|llms(?:-full)?\\.txt|livez|metrics|readyz|robots\\.txt|skill\\.md|mcp|oauth/(?:token|register|revoke|device_authorization)/?$|docs(?:/|$)).*)",
  ],
};
