"use client";

import { useActionState } from "react";
import { Command } from "@/components/ui/command";
import { CopyButton } from "@/components/ui/copy";
import { Field } from "@/components/ui/field";
import { FormId } from "@/components/ui/form-id";

export interface CreatedKey {
  key: string | null;
  error: string | null;
}

interface Props {
  action(before: CreatedKey, data: FormData): Promise<CreatedKey>;
  /** What names this showing of the form: a second press of its button is the same submission. */
  formId: string;
  baseUrl: string;
}

/** Makes a key and shows it, this once. */
export function CreateKeyForm({ action, formId, baseUrl }: Props) {
  const [made, send, sending] = useActionState(action, { key: null, error: null });
  if (made.key !== null) return <NewKey text={made.key} baseUrl={baseUrl} />;
  return (
    <form action={send} className="grid gap-3 sm:grid-cols-4">
      <FormId id={formId} />
      <Field label="Name" className="sm:col-span-2">
        {(id) => (
          <input
            id={id}
            name="name"
            required
            maxLength={100}
            placeholder="Where it is used"
            className="field"
          />
        )}
      </Field>
      <Field label="May">
        {(id) => (
          <select id={id} name="scopes" defaultValue="api.read api.write" className="field">
            <option value="api.read api.write">read and write</option>
            <option value="api.read">read only</option>
          </select>
        )}
      </Field>
      <Field label="Expires">
        {(id) => (
          <select id={id} name="days" defaultValue="" className="field">
            <option value="">never</option>
            <option value="1">in a day</option>
            <option value="30">in 30 days</option>
            <option value="90">in 90 days</option>
            <option value="365">in a year</option>
          </select>
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-2 sm:col-span-4">
        <button type="submit" disabled={sending} className="button button-primary">
          Create key
        </button>
        <a href="/keys" className="button">
          Cancel
        </a>
        {made.error && (
          <p role="alert" className="text-failed">
            {made.error}
          </p>
        )}
      </div>
    </form>
  );
}

function NewKey({ text, baseUrl }: { text: string; baseUrl: string }) {
  return (
    <div role="status">
      <p className="font-semibold">Your new key. It is shown this once: put it where it is used.</p>
      <p className="my-3 flex flex-wrap items-center gap-2">
        <code className="rounded border border-line bg-canvas px-2 py-1 font-mono wrap-anywhere select-all">
          {text}
        </code>
        <CopyButton text={text}>Copy</CopyButton>
      </p>
      <Command>{`curl ${baseUrl}/api/tasks -H "Authorization: Bearer ${text}"`}</Command>
      <a href="/keys" className="button mt-3">
        I have stored it
      </a>
    </div>
  );
}
