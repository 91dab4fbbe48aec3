"use client";

import { ActionForm, Submit } from "@/components/ui/action-form";
import { SelectField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { TextAreaField } from "@/components/ui/text-area";
import { claimBatch } from "../actions";

interface Props {
  organizations: { id: string; name: string }[];
  chosenId: string;
}

/** Claims every resource named in a pasted text. */
export function BatchForm({ organizations, chosenId }: Props) {
  return (
    <ActionForm action={claimBatch} className="grid gap-4 p-5 sm:p-6">
      {(outcomes) => (
        <>
          <TextAreaField
            label="Claim URLs or IDs, each with its token"
            name="pasted"
            rows={7}
            required
            spellCheck={false}
            placeholder={"tsk_…  clm_…\nhttps://…/claim/wh_…#claim_token=clm_…"}
            look="field font-mono"
          />
          <SelectField
            label="Claim them for"
            name="organization"
            defaultValue={chosenId}
            options={organizations.map(({ id, name }) => [id, name])}
          />
          <Submit>Claim all</Submit>
          {outcomes && (
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
        </>
      )}
    </ActionForm>
  );
}
