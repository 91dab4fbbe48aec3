"use client";

import {
  createContext,
  type FormEvent,
  type ReactNode,
  startTransition,
  useActionState,
  useContext,
  useEffect,
  useId,
  useRef,
} from "react";
import { ComplaintWords } from "./complaint-words";

/** What a form's action found: null when all is well. */
export type Complaint = Complained | null;

export interface Complained {
  message: string;
  /** The field that it is about, as the API names it. */
  param: string | null;
  /** The session has ended since the page was shown. */
  signedOut?: boolean;
}

export type FormAction = (before: Complaint, data: FormData) => Promise<Complaint>;

interface Props {
  action: FormAction;
  children: ReactNode;
  className?: string;
  /** Called when what was sent has been done. */
  onDone?(): void;
  /** What can be done when somebody else has changed the same thing meanwhile. */
  conflict?: ReactNode;
}

const Sending = createContext(false);

/**
 * A form that is sent once at a time, keeps what was typed when it is refused, and says why. Without
 * JavaScript it is a plain form.
 */
export function ActionForm({ action, children, className, onDone, conflict }: Props) {
  const [complaint, send, sending] = useActionState(action, null);
  const wasSending = useRef(false);
  const id = useId();
  useEffect(() => {
    if (wasSending.current && !sending && complaint === null) onDone?.();
    wasSending.current = sending;
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // React would empty the fields after its own submit, refused or not.
    event.preventDefault();
    if (sending) return;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const data = new FormData(event.currentTarget, submitter);
    startTransition(() => send(data));
  };
  return (
    <form id={id} action={send} onSubmit={submit} className={className} aria-busy={sending}>
      <Sending value={sending}>
        {children}
        {complaint && <ComplaintWords formId={id} complaint={complaint} />}
        {complaint?.param === "tag" && conflict}
      </Sending>
    </form>
  );
}

/** The button of an `ActionForm`; it waits while the form is under way. */
export function Submit({
  children,
  className = "button button-primary",
  name,
  value,
}: {
  children: ReactNode;
  className?: string;
  name?: string;
  value?: string;
}) {
  const sending = useContext(Sending);
  return (
    <button type="submit" name={name} value={value} aria-disabled={sending} className={className}>
      {children}
      {sending && <span className="sr-only"> (sending)</span>}
    </button>
  );
}
