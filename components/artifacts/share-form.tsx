"use client";

import { useActionState } from "react";

export interface Shared {
  url: string | null;
  complaint: string | null;
}

interface Props {
  id: string;
  action(before: Shared, data: FormData): Promise<Shared>;
}

/** Makes a link that shows one document to anyone, and shows it. */
export function ShareForm({ id, action }: Props) {
  const [shared, send, sending] = useActionState(action, { url: null, complaint: null });
  return (
    <form action={send} className="flex flex-wrap items-center gap-2">
      <input type="hidden" name="id" value={id} />
      <label htmlFor={`share-${id}`} className="text-muted">
        A link for anyone, good for
      </label>
      <select id={`share-${id}`} name="expires_in" defaultValue="604800" className="field w-auto">
        <option value="3600">an hour</option>
        <option value="86400">a day</option>
        <option value="604800">a week</option>
        <option value="">always</option>
      </select>
      <button type="submit" disabled={sending} className="button">
        Make a link
      </button>
      {shared.url && (
        <button
          type="button"
          data-copy={shared.url}
          title="Copy the link"
          className="max-w-full truncate font-mono text-small text-accent"
        >
          {shared.url}
        </button>
      )}
      {shared.complaint && (
        <p role="alert" className="text-failed">
          {shared.complaint}
        </p>
      )}
    </form>
  );
}
