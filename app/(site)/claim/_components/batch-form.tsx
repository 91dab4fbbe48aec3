"use client";

import { ActionForm, Submit } from "@/components/ui/action-form";
import { SelectField } from "@/components/ui/field";
import { Icon } from "@/components/ui/icon";
import { TextAreaField } from "@/components/ui/text-area";
import { type BatchResult, claimBatch } from "../actions";
import { Contents } from "./contents";
import { fromText, seenField } from "./shown-ids";

interface Props {
  organizations: { id: string; name: string }[];
  chosenId: string;
}

/** Claims all that the tokens of a pasted text cover, after showing what the text does not name. */
export function BatchForm({ organizations, chosenId }: Props) {
  return (
    <ActionForm<BatchResult> action={claimBatch}>
      {(result) => {
        const covered = fromText(result?.covered);
        return (
          <>
            <div className="grid gap-4 p-5 sm:p-6">
              <TextAreaField
                label="Claim URLs or IDs, each with its token"
                name="pasted"
                rows={7}
                required
                spellCheck={false}
                placeholder={"tsk_…  clm_…\nhttps://…/claim/wh_…#claim_token=clm_…"}
                defaultValue={result?.pasted}
                look="field font-mono"
              />
              <SelectField
                label="Claim them for"
                name="organization"
                defaultValue={chosenId}
                options={organizations.map(({ id, name }) => [id, name])}
              />
            </div>
            {covered && (
              <>
                <input type="hidden" name="seen" value={seenField(covered)} />
                <Contents noun="resource" covered={covered} />
              </>
            )}
            <div className="grid gap-4 border-t border-line p-5 sm:p-6">
              <Submit>Claim all</Submit>
              {result && result.outcomes.length > 0 && <Outcomes outcomes={result.outcomes} />}
            </div>
          </>
        );
      }}
    </ActionForm>
  );
}

function Outcomes({ outcomes }: Pick<BatchResult, "outcomes">) {
  return (
    <ul role="status" className="grid gap-1 border-t border-line pt-4">
      {outcomes.map(({ id, claimed, words }) => (
        <li key={id} className="flex gap-2">
          <Icon
            name={claimed ? "check" : "close"}
            className={`mt-0.75 ${claimed ? "text-ok" : "text-failed"}`}
          />
          <span className="min-w-0 wrap-anywhere">
            {id && (
              <>
                <a href={`/claim/${id}`} className="font-mono text-small">
                  {id}
                </a>{" "}
              </>
            )}
            {words}
          </span>
        </li>
      ))}
    </ul>
  );
}
