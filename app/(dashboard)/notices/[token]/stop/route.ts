import { redirect } from "next/navigation";
import { stopNotices } from "@/lib/resources/notices/settings";

interface Context {
  params: Promise<{ token: string }>;
}

/** The one-click request of a mail program (RFC 8058). It has no cookies: the token is the permission. */
export async function POST(_: Request, { params }: Context): Promise<Response> {
  const isStopped = await stopNotices((await params).token);
  const text = isStopped ? "Notifications are turned off." : "This link is not valid.";
  return new Response(text, { status: isStopped ? 200 : 404, headers: HEADERS });
}

/** Changes nothing, since mail programs open links to check them. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  redirect(`/notices/${encodeURIComponent((await params).token)}`);
}

const HEADERS = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
