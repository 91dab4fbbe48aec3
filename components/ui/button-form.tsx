"use client";

import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
import { type FormEvent, type ReactNode, startTransition } from "react";
import { sayNoResponse } from "./toast";

interface Props {
  action(data: FormData): Promise<void>;
  className?: string;
  children: ReactNode;
}

/** A form with only buttons. If the server does not respond, the page stays and a toast says so. */
export function ButtonForm({ action, className, children }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const data = new FormData(event.currentTarget, submitter);
    startTransition(() => runOrSay(() => action(data)));
  };
  return (
    <form action={action} onSubmit={submit} className={className}>
      {children}
    </form>
  );
}

/** Runs a server action. Otherwise a failed request would replace the whole page. */
export async function runOrSay(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    // `redirect()` throws.
    unstable_rethrow(thrown);
    if (unstable_isUnrecognizedActionError(thrown)) return location.reload();
    sayNoResponse();
  }
}
