"use client";

import { ActionForm, Submit } from "@/components/ui/action-form";
import { Command } from "@/components/ui/command";
import { CopyCode } from "@/components/ui/copy";
import { InputField, SelectField } from "@/components/ui/field";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { createKey } from "../actions";

/** Creates a key and shows it once. */
export function CreateKeyForm({ formId, baseUrl }: { formId: string; baseUrl: string }) {
  return (
    <ActionForm action={createKey} className="grid gap-3 sm:grid-cols-4" formId={formId}>
      {(created) => (created ? <NewKey text={created.key} baseUrl={baseUrl} /> : <KeyFields />)}
    </ActionForm>
  );
}

function KeyFields() {
  return (
    <>
      <UnsavedGuard />
      <InputField
        label="Name"
        className="sm:col-span-2"
        name="name"
        required
        maxLength={100}
        placeholder="Where you will use it"
      />
      <SelectField
        label="Permissions"
        name="scopes"
        options={[
          ["api.read api.write", "read and write"],
          ["api.read", "read only"],
        ]}
      />
      <SelectField
        label="Expires"
        name="days"
        defaultValue="90"
        options={[
          ["", "never"],
          ["1", "in a day"],
          ["30", "in 30 days"],
          ["90", "in 90 days"],
          ["365", "in a year"],
        ]}
      />
      <div className="flex flex-wrap items-center gap-2 sm:col-span-4">
        <Submit>Create key</Submit>
        <a href="/keys" aria-keyshortcuts="Escape" className="button">
          Cancel
        </a>
      </div>
    </>
  );
}

function NewKey({ text, baseUrl }: { text: string; baseUrl: string }) {
  return (
    <div className="sm:col-span-4">
      <p data-pane-title tabIndex={-1} className="font-semibold">
        Your new key. Store it now: it is not shown again.
      </p>
      <CopyCode className="my-3">{text}</CopyCode>
      <Command>{`curl ${baseUrl}/api/tasks -H "Authorization: Bearer ${text}"`}</Command>
      <a href="/keys" className="button mt-3">
        Done
      </a>
    </div>
  );
}
