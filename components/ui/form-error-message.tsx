"use client";

import { useId, useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";

export interface FormError {
  message: string;
  /** The field it is about, by its API name. */
  param: string | null;
  /** The session has ended since the page loaded. */
  signedOut?: boolean;
}

interface Props {
  formId: string;
  error: FormError;
}

/**
 * Shows a form's error below the field it is about, which is marked invalid and focused, or at the
 * end of the form.
 */
export function FormErrorMessage({ formId, error }: Props) {
  const [place, setPlace] = useState<Element | null>(null);
  const id = useId();

  useLayoutEffect(() => {
    const control = controlOf(formId, error.param);
    setPlace(control?.closest("[data-field]") ?? null);
    control?.setAttribute("aria-invalid", "true");
    control?.setAttribute("aria-describedby", id);
    control?.focus();
    return () => {
      control?.removeAttribute("aria-invalid");
      control?.removeAttribute("aria-describedby");
    };
  }, [formId, error, id]);

  const words = (
    <p
      id={id}
      role="alert"
      className="order-last col-span-full mt-2 flex basis-full gap-2 text-failed"
    >
      <span aria-hidden="true">!</span>
      <span className="min-w-0 wrap-anywhere">
        {error.message}{" "}
        {error.signedOut && (
          <a href="/sign-in" target="_blank" className="link" rel="noopener">
            Sign in
          </a>
        )}
      </span>
    </p>
  );
  return place ? createPortal(words, place) : words;
}

/** The field that an error is about: for `headers.x-one` it is `headers`. */
function controlOf(formId: string, param: string | null): HTMLElement | undefined {
  const form = document.getElementById(formId);
  if (!(form instanceof HTMLFormElement) || param === null) return undefined;
  const control = form.elements.namedItem(param.split(".")[0] ?? "");
  if (!(control instanceof HTMLElement) || control.matches("[type=hidden]")) return undefined;
  return control;
}
