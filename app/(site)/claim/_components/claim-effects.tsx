import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/ui/icon";
import { Logo } from "@/components/ui/logo";

interface Props {
  icon: IconName;
  kind: string;
  title: string;
  id?: string;
  children: ReactNode;
}

/** The one card of the claim page. */
export function ClaimCard({ icon, kind, title, id, children }: Props) {
  return (
    <main className="mx-auto grid min-h-dvh grid-cols-1 max-w-[34rem] content-center px-4 py-10">
      <a href="/" className="mb-4 flex items-center gap-2.5 self-start font-semibold">
        <Logo />
        Agent Infrastructure
      </a>
      <article className="rounded-lg border border-line bg-canvas">
        <header className="border-b border-line px-5 py-4 sm:px-6">
          <p className="flex items-center gap-2 text-muted">
            <Icon name={icon} />
            {kind}
          </p>
          <h1 className="mt-1.5 text-title font-semibold tracking-tight wrap-anywhere">{title}</h1>
          {id && <p className="mt-1 font-mono text-small wrap-anywhere text-muted">{id}</p>}
        </header>
        {children}
      </article>
    </main>
  );
}

/** What a claim changes. */
export function ClaimEffects({ noun }: { noun: string }) {
  return (
    <section aria-label="What changes" className="border-t border-line px-5 py-4 sm:px-6">
      <h2 className="font-semibold">What changes</h2>
      <ul className="mt-2 grid gap-1.5 text-muted">
        <Change>
          Only your organization’s members and keys can open it; its ID alone no longer does.
        </Change>
        <Change>It appears in your organization’s lists and stays until you delete it.</Change>
        <Change>
          It keeps its ID and content. The token is used up, so this {noun} cannot be claimed again.
        </Change>
      </ul>
    </section>
  );
}

function Change({ children }: { children: ReactNode }) {
  return (
    <li className="flex gap-2">
      <Icon name="check" className="mt-0.75 text-ok" />
      <span>{children}</span>
    </li>
  );
}
