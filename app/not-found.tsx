import type { Metadata } from "next";

export const metadata: Metadata = { title: "Not found" };

/** Small, because Next includes it in every page. Unknown paths are served by a route. */
export default function NotFound() {
  return (
    <main className="mx-auto max-w-[40rem] px-4 py-16 sm:px-6">
      <p className="font-mono text-small text-muted">404</p>
      <h1 className="mt-1 text-title font-semibold tracking-tight">There is no page here</h1>
      <p className="mt-3 text-muted">
        The address may be mistyped or incomplete. IDs are case-sensitive.{" "}
        <a href="/" className="link">
          Home
        </a>
        ,{" "}
        <a href="/docs" className="link">
          documentation
        </a>
      </p>
    </main>
  );
}
