"use client";

import { useEffect, useRef } from "react";
import { ActionForm, Submit } from "@/components/ui/action-form";
import { InputField, SelectField } from "@/components/ui/field";
import { type ClaimPreview, claimResource } from "../actions";
import { Contents } from "./contents";
import { useCovered } from "./covered";
import { fromText, seenField } from "./shown-ids";

interface Props {
  id: string;
  noun: string;
  organizations: { id: string; name: string }[];
  chosenId: string;
}

/** Claims all that a token covers, after showing it. It is in the URL's fragment or typed. */
export function ClaimForm({ id, noun, organizations, chosenId }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const { token, covered } = useCovered(id);
  useEffect(() => {
    if (token !== null && input.current && input.current.value === "") input.current.value = token;
  }, [token]);
  return (
    <ActionForm<ClaimPreview> action={claimResource} fields={{ id }}>
      {(preview) => {
        const shown = fromText(preview?.covered) ?? covered;
        const count = shown.data.filter(({ made_by }) => made_by === null).length;
        return (
          <>
            <Contents noun={noun} covered={shown} />
            <div className="grid gap-3 rounded-b-lg border-t border-line bg-surface px-5 py-4 sm:px-6">
              <input type="hidden" name="seen" value={seenField(shown)} />
              <InputField
                label="Claim token"
                hint={`from the response that created the ${noun}`}
                ref={input}
                name="claim_token"
                required
                autoComplete="off"
                spellCheck={false}
                placeholder="clm_…"
                defaultValue={preview?.token}
                look="field font-mono"
              />
              <SelectField
                label={count > 1 ? "Claim them for" : "Claim it for"}
                name="organization"
                defaultValue={chosenId}
                options={organizations.map(({ id, name }) => [id, name])}
              />
              <Submit className="button button-primary min-h-9">
                {count > 1 ? `Claim all ${count}` : `Claim this ${noun}`}
              </Submit>
            </div>
          </>
        );
      }}
    </ActionForm>
  );
}
