import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/ui/icon";
import { HomeLink } from "@/components/ui/logo";

interface Props {
  icon: IconName;
  kind: string;
  title: string;
  id?: string;
  /** The class of the card's maximum width. */
  width?: string;
  children: ReactNode;
}

/** The card of a public page that asks for one decision. */
export function SiteCard(props: Props) {
  const { icon, kind, title, id, width = "max-w-[34rem]", children } = props;
  return (
    <main
      className={`mx-auto grid min-h-dvh grid-cols-1 ${width} content-start px-4 py-10 sm:pt-[12dvh]`}
    >
      <HomeLink className="mb-4 self-start" />
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
