"use client";

import { useEffect, useState } from "react";
import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { SelectField } from "@/components/ui/field";

/** The decision has been recorded; `url` carries it to the client. */
export interface Decision {
  allowed: boolean;
  url: string;
}

interface Props {
  action: FormAction<Decision>;
  /** What identifies the request: a query, or the code of another computer. */
  request: string;
  clientName: string;
  organizations: { id: string; name: string }[];
  chosenId: string;
  mayAskToWrite: boolean;
}

/** Asks for the organization and the access to grant, and returns to the client. */
export function ConsentForm(props: Props) {
  const { action, request, clientName, organizations, chosenId, mayAskToWrite } = props;
  return (
    <ActionForm<Decision>
      action={action}
      className="mt-5 grid gap-4 border-t border-line pt-5"
      fields={{ request }}
    >
      {(decision) =>
        decision ? (
          <Leaving decision={decision} clientName={clientName} />
        ) : (
          <>
            <SelectField
              label="Organization"
              name="organization"
              defaultValue={chosenId}
              options={organizations.map(({ id, name }) => [id, name])}
            />
            <fieldset>
              <legend className="mb-1 text-small text-muted">Access</legend>
              {mayAskToWrite && (
                <Access value="write" isDefault>
                  Read and write: create, change and delete
                </Access>
              )}
              <Access value="read" isDefault={!mayAskToWrite}>
                Read only
              </Access>
            </fieldset>
            <div className="flex flex-wrap gap-2">
              <Submit
                name="decision"
                value="allow"
                className="button button-primary min-h-9 flex-1 justify-center"
              >
                Allow
              </Submit>
              <Submit name="decision" value="deny" className="button min-h-9 flex-1 justify-center">
                Deny
              </Submit>
            </div>
            <p className="text-small text-muted">
              You can disconnect it at any time under Keys &amp; agents.
            </p>
          </>
        )
      }
    </ActionForm>
  );
}

function Access(props: { value: string; isDefault: boolean; children: string }) {
  return (
    <label className="flex min-h-8 items-center gap-2">
      <input
        type="radio"
        name="access"
        value={props.value}
        defaultChecked={props.isDefault}
        required
      />
      {props.children}
    </label>
  );
}

/**
 * Redirects to the client. The page's form-action would block a redirect in response to the form.
 * The link appears late, since a code that arrives twice is revoked.
 */
function Leaving({ decision, clientName }: { decision: Decision; clientName: string }) {
  const { allowed, url } = decision;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    // Deferred, so that React's second effect in development does not send the code twice.
    const timers = [
      setTimeout(() => window.location.assign(url)),
      setTimeout(() => setLate(true), 4000),
    ];
    return () => timers.forEach(clearTimeout);
  }, [url]);
  const link = (
    <a href={url} className="link" rel="noreferrer">
      Continue to {clientName}
    </a>
  );
  return (
    <div role="status">
      <p>
        {allowed ? `${clientName} is connected.` : `${clientName} was not connected.`} Returning to
        it; you can close this page afterwards.
      </p>
      {isLate && <p className="mt-2">{link}</p>}
      <noscript>
        <meta httpEquiv="refresh" content={`0;url=${url}`} />
        {link}
      </noscript>
    </div>
  );
}
