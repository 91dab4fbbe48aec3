"use client";

import { ActionForm, Submit } from "@/components/ui/action-form";
import { Confirm } from "@/components/ui/confirm";
import { CopyCode } from "@/components/ui/copy";
import { Time } from "@/components/ui/time";
import type { SigningSecret } from "@/lib/resources/messages/signing-secret";
import { rotateSecret, showSigningSecret } from "../actions";

/** The organization's public key, and the path of the document that lists it. */
interface PublicKey {
  key: string;
  path: string;
}

/** Shows the organization's signing secret on request, and rotates it. */
export function SigningSecretForm({ publicKey }: { publicKey: PublicKey }) {
  return (
    <div className="grid gap-4 px-4 py-4 sm:px-6">
      <p className="text-muted">
        The key of the v1 signatures on your organization’s messages. Any Standard Webhooks library
        verifies them with it.
      </p>
      <div className="flex flex-wrap items-start gap-2">
        <ActionForm action={showSigningSecret} className="min-w-0">
          {(shown) => (shown ? <Shown {...shown} /> : <Submit className="button">Show</Submit>)}
        </ActionForm>
        <Confirm
          label="Rotate"
          title="Rotate the signing secret?"
          consequence="Messages will be signed with a new secret, and for 24 hours with the old one too. Give your receivers the new one before then."
          confirm="Rotate secret"
          action={rotateSecret}
          successMessage="Rotated"
        />
      </div>
      <p className="text-muted">
        The v1a signatures are verified with your organization’s public key, without a secret. It is
        also listed as <a href={publicKey.path}>JSON</a>.
      </p>
      <CopyCode>{publicKey.key}</CopyCode>
    </div>
  );
}

function Shown({ secret, old_secret_expires_at: oldExpiresAt }: SigningSecret) {
  return (
    <div role="status">
      <CopyCode>{secret}</CopyCode>
      {oldExpiresAt !== null && (
        <p className="mt-2 text-small text-muted">
          The previous secret also signs until <Time unix={oldExpiresAt} />.
        </p>
      )}
    </div>
  );
}
