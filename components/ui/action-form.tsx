"use client";

import { unstable_isUnrecognizedActionError, unstable_rethrow } from "next/navigation";
import {
  createContext,
  type FormEvent,
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useActionState,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useTransition,
} from "react";
import { type FormError, FormErrorMessage } from "./form-error-message";
import { noteOwnChange } from "./own-changes";
import { announce, toast } from "./toast";
import { keepTypedInput, reloadWithTypedInput, SETTLED } from "./typed-input";

/** The result of a form's action: null on success. */
export type FormResult = FormError | null;

/** A result that is shown only as a toast: what was done, for example "Retried 2". */
export interface ToastResult {
  told: string;
}

/** The server action of a form; `Done` is the result that the form shows, if any. */
export type FormAction<Done = null> = (
  before: FormResult,
  data: FormData,
) => Promise<FormResult | Done>;

interface Props<Done> {
  /** A `FormAction`, as a method because no action reads its previous result. */
  action(before: FormResult | Done, data: FormData): Promise<FormResult | Done>;
  /** A function receives the last successful result. */
  children: ReactNode | ((done: Done | null) => ReactNode);
  className?: string;
  /** Hidden fields. */
  fields?: Record<string, string | number> | undefined;
  /** For a form that must not count twice: see `FormId`. */
  formId?: string | undefined;
  /** Called after the action succeeds. */
  onDone?(): void;
  /** Shown if the resource has changed since the form opened. */
  conflict?: ReactNode;
  /** Shows errors as toasts, if the form is too small for them. */
  isSmall?: boolean;
}

/** Loaded once there is a conflict: most pages never show one. */
const Conflict = lazy(() => import("./conflict"));

const Pending = createContext(false);

export const Owner = createContext<string | undefined>(undefined);

/** Whose page this is. Its forms and exports send it, so that none acts for another organization. */
export function FormOwner(props: { owner: string | undefined; children: ReactNode }) {
  return <Owner value={props.owner}>{props.children}</Owner>;
}

/**
 * A form that sends one request at a time. After an error it keeps the input and shows the reason.
 * After a success it resets, and shows what its action `told`, or the pressed button's `data-toast`,
 * as a toast, or sends `data-announce` to screen readers. If the server's version lacks its action,
 * the page reloads and keeps the input. If the pressed button is gone and the page is not, what is
 * open gets the focus. Without JavaScript it is a plain form.
 */
export function ActionForm<Done extends object = never>(props: Props<Done>) {
  const { action, children, className, fields = {}, formId, onDone, conflict } = props;
  const [before, send] = useActionState<FormResult | Done, FormData>(action, null);
  const [outcome, setOutcome] = useState(before);
  const [pending, start] = useTransition();
  const id = useId();
  const owner = useContext(Owner);
  const here = useRef<HTMLFormElement>(null);
  const pressed = useRef<HTMLElement>(null);
  useEffect(() => {
    here.current?.addEventListener("click", ignoreSecondClick);
    return here.current ? keepTypedInput(here.current) : undefined;
  }, []);
  useEffect(() => (pending ? keepPlace(here.current, pressed.current) : undefined), [pending]);
  const error = isFormError(outcome) ? outcome : null;
  const done = isFormError(outcome) ? null : outcome;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    // React would empty the fields after its own submit, whether refused or not.
    event.preventDefault();
    if (pending) return;
    const form = event.currentTarget;
    const { submitter } = event.nativeEvent as SubmitEvent;
    pressed.current = submitter;
    const data = new FormData(form, submitter);
    start(async () => {
      noteOwnChange();
      const settle = () => form.dispatchEvent(new Event(SETTLED));
      const result = await action(null, data)
        .catch(failedRequest)
        .catch((redirected) => {
          settle();
          throw redirected;
        });
      noteOwnChange();
      if (props.isSmall && isFormError(result)) return toast(result.message);
      startTransition(() => setOutcome(result));
      const told = toldBy(result);
      // The input stays while a result about it is shown: see `Draft`.
      if (result === null || told) {
        settle();
        form.reset();
      }
      if (isFormError(result)) return;
      onDone?.();
      // The button may no longer exist.
      const words = told ?? submitter?.dataset.toast;
      if (words) toast(words);
      if (submitter?.dataset.announce) announce(submitter.dataset.announce);
    });
  };
  return (
    <form
      ref={here}
      id={id}
      action={send}
      onSubmit={submit}
      className={className}
      aria-busy={pending}
    >
      {owner && <input type="hidden" name="owner" value={owner} />}
      {formId && <FormId id={formId} isUnsettled={pending || error !== null} />}
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Pending value={pending}>
        {typeof children === "function" ? children(done) : children}
        {error && (
          <FormErrorMessage formId={id} error={error}>
            {error.theirs && (
              <Suspense>
                <Conflict key={error.theirs.tag} formId={id} theirs={error.theirs} />
              </Suspense>
            )}
            {error.param === "tag" && conflict}
          </FormErrorMessage>
        )}
      </Pending>
    </form>
  );
}

/**
 * An ID for what a form sends, which counts once. It stays while a request runs and after one that
 * failed, since the server may have carried it out, and is new after a success. A page from the
 * history gets new IDs.
 */
function FormId({ id, isUnsettled }: { id: string; isUnsettled: boolean }) {
  const [shown, setShown] = useState(id);
  // Runs before anybody can press again.
  useLayoutEffect(() => {
    if (!isUnsettled) setShown(`${id} ${Date.now()}`);
  }, [id, isUnsettled]);
  return <input type="hidden" name="form" value={shown} />;
}

/** The error to show after an action's request failed. A thrown one would replace the page and lose the input. */
export function failedRequest(thrown: unknown): FormError {
  // `redirect()` throws.
  unstable_rethrow(thrown);
  if (unstable_isUnrecognizedActionError(thrown)) {
    reloadWithTypedInput();
    return { message: "The server has a newer version. Reloading…", param: null };
  }
  return { message: "The server did not respond. Try again.", param: null };
}

/** The second click of a double-click would press what took the place of the first one's button. */
function ignoreSecondClick(event: MouseEvent): void {
  const { target, detail } = event;
  if (detail < 2 || !(target instanceof Element) || !target.closest("[type=submit]")) return;
  event.preventDefault();
}

/**
 * Returns a function that focuses the title of what is open, or else the form's place, if the pressed
 * button is gone with the focus and the page is still the same.
 */
function keepPlace(form: HTMLFormElement | null, pressed: HTMLElement | null): () => void {
  const { href } = location;
  const place = form?.parentElement;
  return () => {
    // Some browsers do not focus a button that is clicked.
    if (pressed?.isConnected || location.href !== href) return;
    if (document.activeElement !== document.body) return;
    // Where reading goes on; there is nothing to press.
    place?.classList.add("outline-none");
    const title = document.querySelector<HTMLElement>("[data-pane-title]") ?? place;
    if (!title) return;
    title.tabIndex = -1;
    title.focus({ preventScroll: true });
  };
}

function toldBy(result: object | null): string | undefined {
  return result !== null && "told" in result ? String(result.told) : undefined;
}

/** A successful result has no `param`. */
function isFormError(outcome: object | null): outcome is FormError {
  return outcome !== null && "param" in outcome;
}

interface SubmitProps {
  children: ReactNode;
  className?: string;
  name?: string;
  value?: string;
  /** The toast after success, for changes that the page itself does not show. */
  successMessage?: string | undefined;
}

/** The submit button of an `ActionForm`, disabled while the form is being sent. */
export function Submit(props: SubmitProps) {
  const { children, className = "button button-primary", name, value, successMessage } = props;
  const pending = useContext(Pending);
  return (
    <button
      type="submit"
      name={name}
      value={value}
      data-toast={successMessage}
      aria-disabled={pending}
      className={className}
    >
      {children}
      {pending && <span className="sr-only"> (sending)</span>}
    </button>
  );
}
