import type { Metadata } from "next";
import { Missing } from "@/components/site/missing";
import { Logo } from "@/components/ui/logo";

export const metadata: Metadata = { title: "Not found" };

/** Small, because Next includes it in every page. Unknown paths are served by a route. */
export default function NotFound() {
  return (
    <>
      <header className="border-b border-line px-4 py-3 sm:px-6">
        <a href="/" className="flex w-fit items-center gap-2.5 font-semibold">
          <Logo />
          Agent Infrastructure
        </a>
      </header>
      <main>
        <Missing
          links={
            <>
              <li>
                <a href="/" className="link">
                  Home
                </a>
              </li>
              <li>
                <a href="/docs" className="link">
                  Documentation
                </a>
              </li>
            </>
          }
        >
          The address may be mistyped or incomplete. IDs are case-sensitive.
        </Missing>
      </main>
    </>
  );
}
