"use client";

import { unstable_rethrow } from "next/navigation";
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

/** What a form calls; `Done` is what it gives to be shown in the form, where it gives anything. */
export type FormAction<Done = null> = (
  before: Complaint,
  data: FormData,
) => Promise<Complaint | Done>;

interface Props<Done> {
  /** A `FormAction`. Written as a method, as none looks at what it gave before. */
  action(before: Complaint | Done, data: FormData): Promise<Complaint | Done>;
  /** As a function it is given what the action gave last. */
  children: ReactNode | ((done: Done | null) => ReactNode);
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
export function ActionForm<Done extends object = never>(props: Props<Done>) {
  const { action, children, className, onDone, conflict } = props;
  const [before, send] = useActionState<Complaint | Done, FormData>(action, null);
  const [outcome, setOutcome] = useState(before);
  const [sending, start] = useTransition();
  const id = useId();
  const complaint = isComplaint(outcome) ? outcome : null;
  const done = isComplaint(outcome) ? null : outcome;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // React would empty the fields after its own submit, refused or not.
    event.preventDefault();
    if (sending) return;
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const data = new FormData(form, submitter);
    start(async () => {
      const answer = await action(outcome, data).catch(unreached);
      startTransition(() => setOutcome(answer));
      if (isComplaint(answer)) return;
      // What is shown is about what was typed.
      if (answer === null) form.reset();
      onDone?.();
      // Said also when the button, or all of the form, went with what was done.
      if (submitter?.dataset.said) toast(submitter.dataset.said);
      if (submitter?.dataset.aloud) announce(submitter.dataset.aloud);
    });
  };
  return (
    <form id={id} action={send} onSubmit={submit} className={className} aria-busy={sending}>
      <Sending value={sending}>
        {typeof children === "function" ? children(done) : children}
        {complaint && <ComplaintWords formId={id} complaint={complaint} />}
        {complaint?.param === "tag" && conflict}
      </Sending>
    </form>
  );
}

/** What is said when no answer came; without it the whole page, and what was typed, would be gone. */
function unreached(thrown: unknown): Complained {
  // A redirect travels as an exception.
  unstable_rethrow(thrown);
  return { message: "The server gave no answer. Press the button again.", param: null };
}

/** What an action gives to be shown has no `param`. */
function isComplaint(outcome: object | null): outcome is Complained {
  return outcome !== null && "param" in outcome;
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
