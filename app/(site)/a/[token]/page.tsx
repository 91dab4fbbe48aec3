import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { bytes } from "@/components/ui/bytes";
import { DocumentFrame } from "@/components/ui/document-frame";
import { Logo } from "@/components/ui/logo";
import { Time } from "@/components/ui/time";
import { findShared } from "@/lib/resources/artifacts/shared";
import { CopyContent } from "./copy-content";

interface Props {
  params: Promise<{ token: string }>;
}

/** Looks a link up once per request, for its page and title. */
const shared = cache(findShared);

// Every request checks that the link is still valid.
export const dynamic = "force-dynamic";

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const artifact = await shared((await params).token);
  return {
    title: artifact.ended === null ? { absolute: artifact.name } : "No such link",
    description: null,
    robots: { index: false, follow: false },
    referrer: "no-referrer",
  };
}

export default async function SharePage({ params }: Props) {
  const { token } = await params;
  const artifact = await shared(token);
  // The proxy explains links that have ended; this one has ended since.
  if (artifact.ended !== null) notFound();
  const address = `/a/${token}`;
  return (
    <main className="flex h-dvh flex-col">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
        <div className="flex min-w-0 items-center gap-3">
          <a href="/" aria-label="Agent Infrastructure" title="Agent Infrastructure">
            <Logo />
          </a>
          <div className="min-w-0">
            <h1 className="truncate text-body font-semibold" title={artifact.name} dir="auto">
              {artifact.name}
            </h1>
            <p className="flex flex-wrap gap-x-2 text-small text-muted tabular-nums">
              <span>{artifact.format === "html" ? "HTML" : "Markdown"}</span>
              <span>{bytes(artifact.size)}</span>
              <span>
                changed <Time unix={artifact.updated_at} />
              </span>
              {artifact.expires_at !== null && (
                <span>
                  link expires <Time unix={artifact.expires_at} />
                </span>
              )}
            </p>
          </div>
        </div>
        <div className="flex gap-2">
          <CopyContent url={`${address}/raw`} />
          <a href={`${address}/raw`} className="button">
            Raw
          </a>
          <a href={`${address}/raw?download=1`} className="button">
            Download
          </a>
        </div>
      </header>
      <DocumentFrame
        src={`${address}/view`}
        title={artifact.name}
        format={artifact.format}
        className="min-h-0 flex-1"
      />
    </main>
  );
}
