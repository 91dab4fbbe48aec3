"use client";

import { useActionState } from "react";
import type { Complaint, FormAction } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";

type Shared = { url: string; complaint: null } | { url: null; complaint: Complaint };

interface Props {
  id: string;
  /** How many links show the document now. */
  links: number;
  share(before: Shared, data: FormData): Promise<Shared>;
  revoke: FormAction;
}

/** Makes a link that shows the document to whoever has it, and takes all such links back. */
export function ShareLink({ id, links, share, revoke }: Props) {
  const [shared, make, making] = useActionState(share, { url: null, complaint: null });
  return (
    <section aria-label="Share" className="mb-6 border-b border-line pb-6">
      <h2 className="font-semibold">Share</h2>
      <p className="mt-1 text-small text-muted">
        A link shows this document, as it is when it is opened, to whoever has it.
      </p>
      <form action={make} className="mt-3 flex flex-wrap items-center gap-2">
        <input type="hidden" name="id" value={id} />
        <select name="expires_in" aria-label="The link ends" className="field w-auto">
          <option value="">until revoked</option>
          <option value="3600">for an hour</option>
          <option value="86400">for a day</option>
          <option value="2592000">for 30 days</option>
        </select>
        <button type="submit" className="button" disabled={making}>
          Make a link
        </button>
      </form>
      {shared.complaint && (
        <p role="alert" className="mt-2 text-failed">
          {shared.complaint.message}
        </p>
      )}
      {shared.url && links > 0 && (
        <div className="mt-3 grid justify-items-start gap-2">
          <a href={shared.url} target="_blank" rel="noreferrer" className="link wrap-anywhere">
            {shared.url}
          </a>
          <CopyButton text={shared.url}>Copy link</CopyButton>
          <p className="text-small text-muted">Copy it now: links are not listed afterwards.</p>
        </div>
      )}
      {links > 0 && (
        <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <p className="text-small text-muted">
            {links === 1
              ? "One link shows it now."
              : `${links.toLocaleString("en")} links show it now.`}
          </p>
          <Confirm
            label={links === 1 ? "Revoke it" : "Revoke all"}
            title={links === 1 ? "Revoke the share link?" : `Revoke all ${links} share links?`}
            consequence={`${links === 1 ? "It shows" : "They show"} nothing from now on. New ones can be made.`}
            confirm={links === 1 ? "Revoke the link" : `Revoke ${links} links`}
            action={revoke}
            fields={{ id }}
          />
        </div>
      )}
    </section>
  );
}
