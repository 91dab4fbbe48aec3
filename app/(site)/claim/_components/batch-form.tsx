"use client";

import { type FormEvent, startTransition, useActionState } from "react";
import { Field } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";

export interface ClaimOutcome {
  id: string;
  claimed: boolean;
  words: string;
}

interface Props {
  action(before: ClaimOutcome[], data: FormData): Promise<ClaimOutcome[]>;
  organizations: { id: string; name: string }[];
  chosenId: string;
}

/** Claims everything that a pasted text names. */
export function BatchForm({ action, organizations, chosenId }: Props) {
  const [outcomes, send, sending] = useActionState(action, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // React would empty the field after its own submit: what was refused would have to be pasted again.
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    startTransition(() => send(data));
  };
  return (
    <form action={send} onSubmit={submit} className="grid gap-4 p-5 sm:p-6">
      <Field label="Claim URLs or IDs, each with its token">
        {(field) => (
          <textarea
            id={field}
            name="pasted"
            rows={7}
            required
            spellCheck={false}
            placeholder={"tsk_…  clm_…\nhttps://…/claim/wh_…#claim_token=clm_…"}
            className="field font-mono"
          />
        )}
      </Field>
      <Field label="Claim them for">
        {(field) => (
          <select id={field} name="organization" defaultValue={chosenId} className="field">
            {organizations.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="submit" disabled={sending} className="button button-primary">
        {sending ? "Claiming…" : "Claim all"}
      </button>
      {outcomes.length > 0 && (
        <ul role="status" className="grid gap-1 border-t border-line pt-4">
          {outcomes.map(({ id, claimed, words }) => (
            <li key={id} className="flex gap-2">
              <Icon
                name={claimed ? "check" : "close"}
                className={`mt-0.75 ${claimed ? "text-ok" : "text-failed"}`}
              />
              <span className="min-w-0 wrap-anywhere">
                <a href={`/claim/${id}`} className="font-mono text-small">
                  {id}
                </a>{" "}
                {words}
              </span>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}
