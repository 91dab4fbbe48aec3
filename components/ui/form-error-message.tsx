"use client";

import { type ReactNode, useEffect, useId, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { Line } from "@/lib/resources/artifacts/difference";
import { fieldNamed } from "./typed-input";

export interface FormError {
  message: string;
  /** The message below the field, whose label names it. Absent for a part of a field. */
  messageAtField?: string;
  /** The API name of the field with the error. */
  param: string | null;
  /** The session has ended since the page loaded. */
  signedOut?: boolean;
  /** The session now belongs to another owner than the page. */
  otherOwner?: boolean;
  /** What somebody else has changed since the form opened. */
  theirs?: Theirs;
}

export interface Theirs {
  /** The version that has their changes. */
  tag: string;
  fields: TheirField[];
}

export interface TheirField {
  name: string;
  value: string;
  /** The changes from their value to the person's, for a text of several lines. */
  lines?: Line[];
  /** The person has changed it too, and the field can take this value. */
  isTakeable: boolean;
}

interface Props {
  formId: string;
  error: FormError;
  /** Shown below the message. */
  children: ReactNode;
}

/**
 * Shows a form's error below the field concerned, marks the field invalid and focuses it. Without
 * such a field, shows it above the form's buttons, at the element with `data-form-error`, or at the
 * end. Scrolls to it.
 */
export function FormErrorMessage({ formId, error, children }: Props) {
  const [place, setPlace] = useState<Element | null>(null);
  const id = useId();

  useLayoutEffect(() => {
    const control = controlOf(formId, error.param);
    const form = document.getElementById(formId);
    setPlace(control?.closest("[data-field]") ?? form?.querySelector("[data-form-error]") ?? null);
    control?.setAttribute("aria-invalid", "true");
    control?.setAttribute("aria-describedby", id);
    control?.focus();
    return () => {
      control?.removeAttribute("aria-invalid");
      control?.removeAttribute("aria-describedby");
    };
  }, [formId, error, id]);

  useEffect(() => {
    // The message has been moved to its place.
    if (place) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [place, id]);

  const words = (
    <p
      id={id}
      role="alert"
      className="order-last col-span-full mt-2 flex scroll-my-6 basis-full gap-2 text-failed"
    >
      <span aria-hidden="true">!</span>
      <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">
        {(place?.matches("[data-field]") && error.messageAtField) || error.message}{" "}
        {error.signedOut && (
          <a href="/sign-in" target="_blank" className="link" rel="noopener">
            Sign in
          </a>
        )}
        {error.otherOwner && (
          <button type="button" className="link noscript:hidden" onClick={() => location.reload()}>
            Reload
          </button>
        )}
      </span>
    </p>
  );
  const shown = (
    <>
      {words}
      {children}
    </>
  );
  return place ? createPortal(shown, place) : shown;
}

/** The field concerned: `headers` for the error of `headers.x-one`, if it has no field of its own. */
function controlOf(formId: string, param: string | null) {
  const name = param ?? "";
  const control = fieldNamed(formId, name) ?? fieldNamed(formId, name.split(".")[0] ?? "");
  return control?.type === "hidden" ? undefined : control;
}
