"use client";

import {
  createContext,
  type FormEvent,
  type ReactNode,
  startTransition,
  useActionState,
  useContext,
  useId,
  useState,
  useTransition,
} from "react";
import { ComplaintWords } from "./complaint-words";
import { announce, toast } from "./toast";

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
 * A form that is sent once at a time, keeps what was typed when it is refused, and says why. When it
 * is done it shows itself anew, and says what the pressed button has in `data-said` (in a toast) or
 * `data-aloud` (to screen readers only). Without JavaScript it is a plain form.
 */
export function ActionForm({ action, children, className, onDone, conflict }: Props) {
  const [before, send] = useActionState(action, null);
  const [complaint, complain] = useState(before);
  const [sending, start] = useTransition();
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // React would empty the fields after its own submit, refused or not.
    event.preventDefault();
    if (sending) return;
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const data = new FormData(form, submitter);
    start(async () => {
      const answer = await action(complaint, data);
      startTransition(() => complain(answer));
      if (answer !== null) return;
      form.reset();
      onDone?.();
      // Said also when the button, or all of the form, went with what was done.
      if (submitter?.dataset.said) toast(submitter.dataset.said);
      if (submitter?.dataset.aloud) announce(submitter.dataset.aloud);
    });
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

interface SubmitProps {
  children: ReactNode;
  className?: string;
  name?: string;
  value?: string;
  /** What is said when it is done, where the page does not show it in place. */
  said?: string | undefined;
}

/** The button of an `ActionForm`; it waits while the form is under way. */
export function Submit(props: SubmitProps) {
  const { children, className = "button button-primary", name, value, said } = props;
  const sending = useContext(Sending);
  return (
    <button
      type="submit"
      name={name}
      value={value}
      data-said={said}
      aria-disabled={sending}
      className={className}
    >
      {children}
      {sending && <span className="sr-only"> (sending)</span>}
    </button>
  );
}
