import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SiteFrame } from "@/components/site/frame";
import { Command } from "@/components/ui/command";
import { config } from "@/lib/config";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Claim", robots: { index: false } };

export default async function ClaimPage({ params }: Props) {
  const id = idOf(await params);
  const { baseUrl } = config();
  return (
    <SiteFrame>
      <article className="mx-auto max-w-[40rem] py-12 lg:py-20">
        <h1 className="text-title font-semibold tracking-tight">Claim this resource</h1>
        <p className="mt-2 font-mono text-small wrap-anywhere text-muted">{id}</p>
        <p className="mt-5">
          What is made without an API key belongs to nobody: whoever knows its ID may read, change
          and delete it. Claiming gives it to your organization.
        </p>

        <h2 className="mt-8 border-t border-line pt-4 font-semibold">What changes</h2>
        <ul className="mt-2 grid list-disc gap-1 pl-5 text-muted marker:text-line-strong">
          <li>Its ID alone no longer opens it. Only keys of your organization do.</li>
          <li>It appears in your organization’s lists.</li>
          <li>Its ID and its content stay as they are.</li>
          <li>It cannot be claimed again, by anybody.</li>
        </ul>

        <h2 className="mt-8 border-t border-line pt-4 font-semibold">How to claim</h2>
        <p className="mt-2 mb-3 text-muted">
          You need an API key, and the claim token from the answer that created the resource: put it
          in place of <code className="font-mono text-small text-ink">clm_…</code>.
        </p>
        <Command>{`curl ${baseUrl}/api/claim/${id} -H "Authorization: Bearer $API_KEY" -d '{"claim_token": "clm_…"}'`}</Command>
        <p className="mt-3 text-muted">
          No key yet? Whoever runs this server makes one with{" "}
          <code className="font-mono text-small text-ink">npm run create-key</code>. Claiming in the
          browser is not built yet.
        </p>
      </article>
    </SiteFrame>
  );
}

/** The ID stands in a shell command that people paste, so nothing passes that a shell could read otherwise. */
function idOf({ id }: { id: string }): string {
  if (!/^[A-Za-z0-9_]{1,64}$/.test(id)) notFound();
  return id;
}
