import type { ReactNode } from "react";
import { HomeLink } from "@/components/ui/logo";
import { GlobalShortcuts } from "./global-shortcuts";

/** The frame of a public resource's page for signed-out visitors. */
export function VisitorFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <header className="flex items-center justify-between border-b border-line px-4 py-3 sm:px-6">
        <HomeLink />
        <a href="/sign-in" className="link">
          Sign in
        </a>
      </header>
      <main id="main">{children}</main>
      <GlobalShortcuts isVisitor />
    </>
  );
}
