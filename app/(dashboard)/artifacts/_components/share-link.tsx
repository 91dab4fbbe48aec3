"use client";

import { ActionForm, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy";
import { Time } from "@/components/ui/time";
import { counted } from "@/lib/platform/counted";
import type { ListedShare } from "@/lib/resources/artifacts/contract";
import { revokeShares, shareArtifact } from "../actions";

interface Props {
  id: string;
  /** Keeps a repeated request from making a second link. */
  formId: string;
  isPublic: boolean;
  /** The newest active links. */
  links: ListedShare[];
  /** The number of active links. */
  count: number;
}

/** Creates, lists and revokes links that show the document to anyone. */
export function ShareLink({ id, formId, isPublic, links, count }: Props) {
  return (
    <section aria-label="Share" className="mb-6 border-b border-line pb-6">
      <h2 className="font-semibold">Share</h2>
      <p className="mt-1 text-small text-muted">
        A link shows the current version of this document to anyone who has it.
        {isPublic && " The link stops working when somebody claims the document."}
      </p>
      <ActionForm
        action={shareArtifact}
        className="mt-3 flex flex-wrap items-center gap-2"
        formId={formId}
        fields={{ id }}
      >
        {(shared) => (
          <>
            <select name="expires_in" aria-label="Link expires" className="field w-auto">
              <option value="">No expiry</option>
              <option value="3600">for an hour</option>
              <option value="86400">for a day</option>
              <option value="2592000">for 30 days</option>
            </select>
            <Submit className="button">Create link</Submit>
            {shared && links.some((link) => link.id === shared.id) && (
              <div className="mt-1 grid basis-full justify-items-start gap-2">
                <a
                  href={shared.url}
                  target="_blank"
                  rel="noreferrer"
                  className="link wrap-anywhere"
                >
                  {shared.url}
                </a>
                <CopyButton text={shared.url}>Copy link</CopyButton>
                <p className="text-small text-muted">Copy it now: it is not shown again.</p>
              </div>
            )}
          </>
        )}
      </ActionForm>
      {count > 0 && (
        <>
          <h3 className="mt-4 text-small text-muted">{counted(count, "active link")}</h3>
          <ul aria-label="Active links">
            {links.map((link) => (
              <li
                key={link.id}
                className="flex items-center justify-between gap-3 border-b border-line py-1.5 last:border-0"
              >
                <div className="text-small">
                  <p>
                    Created <Time unix={link.created_at} />
                  </p>
                  <p className="text-muted">
                    {link.expires_at === null ? (
                      "No expiry"
                    ) : (
                      <>
                        Expires <Time unix={link.expires_at} />
                      </>
                    )}
                  </p>
                  {link.survived_claim && <p className="text-muted">Created before the claim</p>}
                </div>
                <Confirm
                  label="Revoke"
                  title="Revoke this share link?"
                  consequence="It stops working at once. You can create a new one."
                  confirm="Revoke link"
                  action={revokeShares}
                  fields={{ id, share: link.id }}
                />
              </li>
            ))}
          </ul>
          {count > links.length && (
            <p className="mt-2 text-small text-muted">
              The newest {links.length} are listed here; the API lists all of them.
            </p>
          )}
          {count > 1 && (
            <div className="mt-3">
              <Confirm
                label="Revoke all"
                title={`Revoke all ${count} share links?`}
                consequence="They stop working at once. You can create new ones."
                confirm={`Revoke ${count} links`}
                action={revokeShares}
                fields={{ id }}
              />
            </div>
          )}
        </>
      )}
    </section>
  );
}
