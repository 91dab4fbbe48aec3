"use client";

import {
  createContext,
  type FormEvent,
  type ReactNode,
  startTransition,
  useActionState,
  useContext,
  useEffect,
  useRef,
} from "react";

/** What a form's action found: null when all is well. */
export type Complaint = { message: string; param: string | null } | null;

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
 * A form that is sent once at a time, keeps what was typed when it is refused, and says why. Without
 * JavaScript it is a plain form.
 */
export function ActionForm<Done extends object = never>(props: Props<Done>) {
  const { action, children, className, onDone, conflict } = props;
  const [outcome, send, sending] = useActionState<Complaint | Done, FormData>(action, null);
  const complaint = isComplaint(outcome) ? outcome : null;
  const done = isComplaint(outcome) ? null : outcome;
  const wasSending = useRef(false);
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
    <form action={send} onSubmit={submit} className={className} aria-busy={sending}>
      <Sending value={sending}>
        {typeof children === "function" ? children(done) : children}
        {complaint && (
          <p
            role="alert"
            className="order-last col-span-full mt-2 flex basis-full gap-2 text-failed"
          >
            <span aria-hidden="true">!</span>
            {complaint.message}
          </p>
        )}
        {complaint?.param === "tag" && conflict}
      </Sending>
    </form>
  );
}

/** What an action gives to be shown has no `param`. */
function isComplaint(outcome: object | null): outcome is NonNullable<Complaint> {
  return outcome !== null && "param" in outcome;
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
