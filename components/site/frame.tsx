import type { ReactNode } from "react";
import { HomeLink } from "@/components/ui/logo";

/** The frame of every public page except those of /docs. */
export function SiteFrame({ version, children }: { version: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader width="max-w-6xl" />
      <main className="mx-auto w-full max-w-6xl flex-1 px-4 sm:px-8">{children}</main>
      <footer className="border-t border-line">
        <p className="mx-auto max-w-6xl px-4 py-4 text-small text-muted sm:px-8">
          Agent Infrastructure {version}, MIT license
        </p>
      </footer>
    </div>
  );
}

/** The header of every public page; `width` is the class of the page's maximum width. */
export function SiteHeader({ width }: { width: string }) {
  return (
    <header className="border-b border-line">
      <div
        className={`mx-auto flex ${width} flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-3 sm:px-8`}
      >
        <HomeLink />
        <nav aria-label="Site" className="flex flex-wrap gap-x-4 text-muted sm:gap-x-5">
          <a href="/docs" className="hover:text-ink">
            Docs
          </a>
          <a href="/docs/reference" className="hover:text-ink">
            Reference
          </a>
          <a href="/dashboard" className="hover:text-ink">
            Dashboard
          </a>
        </nav>
      </div>
    </header>
  );
}
