"use client";

import { useEffect, useRef } from "react";
import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { Field } from "@/components/ui/field";

interface Props {
  id: string;
  noun: string;
  action: FormAction;
  organizations: { id: string; name: string }[];
  chosenId: string;
}

/** Claims with a token from the URL fragment or the field. */
export function ClaimForm({ id, noun, action, organizations, chosenId }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const token = keptToken(id);
    if (token !== null && input.current && input.current.value === "") input.current.value = token;
  }, [id]);
  return (
    <ActionForm action={action} className="grid gap-3">
      <input type="hidden" name="id" value={id} />
      <Field label="Claim token" hint={`from the response that created the ${noun}`}>
        {(field) => (
          <input
            id={field}
            ref={input}
            name="claim_token"
            required
            autoComplete="off"
            spellCheck={false}
            placeholder="clm_…"
            className="field font-mono"
          />
        )}
      </Field>
      <Field label="Claim it for">
        {(field) => (
          <select id={field} name="organization" defaultValue={chosenId} className="field">
            {organizations.map((organization) => (
              <option key={organization.id} value={organization.id}>
                {organization.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Submit className="button button-primary min-h-9">Claim this {noun}</Submit>
    </ActionForm>
  );
}

/** Keeps the token in this tab while the visitor signs in. */
export function TokenKeeper({ id }: { id: string }) {
  useEffect(() => {
    keptToken(id);
  }, [id]);
  return null;
}

/** Moves a token from the fragment to this tab's storage, because URLs get copied and shared. */
function keptToken(id: string): string | null {
  const name = `claim:${id}`;
  const given = /^#(?:claim_token=)?(clm_[0-9A-Za-z]+)$/.exec(window.location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(name, given);
    window.history.replaceState(window.history.state, "", window.location.pathname);
  }
  return sessionStorage.getItem(name);
}
