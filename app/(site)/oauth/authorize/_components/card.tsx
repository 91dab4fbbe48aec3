import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import { Logo } from "@/components/ui/logo";

/** The one card of the authorization page. */
export function ConsentCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto grid min-h-dvh grid-cols-1 max-w-[28rem] content-center px-4 py-10">
      <a href="/" className="mb-4 flex items-center gap-2.5 self-start font-semibold">
        <Logo />
        Agent Infrastructure
      </a>
      <article className="rounded-lg border border-line bg-canvas">
        <header className="border-b border-line px-5 py-4 sm:px-6">
          <p className="flex items-center gap-2 text-muted">
            <Icon name="keys" />
            Connect a client
          </p>
          <h1 className="mt-1.5 text-title font-semibold tracking-tight wrap-anywhere">{title}</h1>
        </header>
        <div className="p-5 sm:p-6">{children}</div>
      </article>
    </main>
  );
}
