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
import { FormErrorMessage } from "./form-error-message";
import { announce, toast } from "./toast";

/** What a form's action found: null when all is well. */
export type FormResult = FormError | null;

export interface FormError {
  message: string;
  /** The field that it is about, as the API names it. */
  param: string | null;
  /** The session has ended since the page was shown. */
  signedOut?: boolean;
}

/** What a form calls; `Done` is what it gives to be shown in the form, where it gives anything. */
export type FormAction<Done = null> = (
  before: FormResult,
  data: FormData,
) => Promise<FormResult | Done>;

interface Props<Done> {
  /** A `FormAction`. Written as a method, as none looks at what it gave before. */
  action(before: FormResult | Done, data: FormData): Promise<FormResult | Done>;
  /** As a function it is given what the action gave last. */
  children: ReactNode | ((done: Done | null) => ReactNode);
  className?: string;
  /** Called when what was sent has been done. */
  onDone?(): void;
  /** What can be done when somebody else has changed the same thing meanwhile. */
  conflict?: ReactNode;
}

const Pending = createContext(false);

/**
 * A form that is sent once at a time, keeps what was typed when it is refused, and says why. When it
 * is done it shows itself anew, and says what the pressed button has in `data-said` (in a toast) or
 * `data-aloud` (to screen readers only). Without JavaScript it is a plain form.
 */
export function ActionForm<Done extends object = never>(props: Props<Done>) {
  const { action, children, className, onDone, conflict } = props;
  const [before, send] = useActionState<FormResult | Done, FormData>(action, null);
  const [outcome, setOutcome] = useState(before);
  const [pending, start] = useTransition();
  const id = useId();
  const error = isFormError(outcome) ? outcome : null;
  const done = isFormError(outcome) ? null : outcome;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // React would empty the fields after its own submit, refused or not.
    event.preventDefault();
    if (pending) return;
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent as SubmitEvent;
    const data = new FormData(form, submitter);
    start(async () => {
      const answer = await action(outcome, data).catch(networkError);
      startTransition(() => setOutcome(answer));
      if (isFormError(answer)) return;
      // What is shown is about what was typed.
      if (answer === null) form.reset();
      onDone?.();
      // Said also when the button, or all of the form, went with what was done.
      if (submitter?.dataset.said) toast(submitter.dataset.said);
      if (submitter?.dataset.aloud) announce(submitter.dataset.aloud);
    });
  };
  return (
    <form id={id} action={send} onSubmit={submit} className={className} aria-busy={pending}>
      <Pending value={pending}>
        {typeof children === "function" ? children(done) : children}
        {error && <FormErrorMessage formId={id} error={error} />}
        {error?.param === "tag" && conflict}
      </Pending>
    </form>
  );
}

/** What is said when no answer came; without it the whole page, and what was typed, would be gone. */
function networkError(thrown: unknown): FormError {
  // A redirect travels as an exception.
  unstable_rethrow(thrown);
  return { message: "The server gave no answer. Press the button again.", param: null };
}

/** What an action gives to be shown has no `param`. */
function isFormError(outcome: object | null): outcome is FormError {
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
  const pending = useContext(Pending);
  return (
    <button
      type="submit"
      name={name}
      value={value}
      data-said={said}
      aria-disabled={pending}
      className={className}
    >
      {children}
      {pending && <span className="sr-only"> (sending)</span>}
    </button>
  );
}
