"use client";

import { type ComponentProps, useLayoutEffect, useState } from "react";
import { setTyped } from "./typed-input";

type Props = ComponentProps<"textarea"> & { id: string };

interface Before {
  value: string;
  selectionStart: number;
  selectionEnd: number;
}

/** By field. React may try to hydrate one several times, and each attempt sets it to its default. */
const before = new WeakMap<Element, Before>();

/** A text area that keeps what is typed or selected in it before React hydrates it. */
export function TextArea(props: Props) {
  const { id } = props;
  useState(() => note(id));
  useLayoutEffect(() => {
    const field = areaOf(id);
    const noted = field && before.get(field);
    if (!noted) return;
    before.delete(field);
    if (noted.value !== field.value) setTyped(field, noted.value);
    // After React has set the value of a controlled field, which moves the caret.
    queueMicrotask(() => {
      if (field !== document.activeElement) return;
      field.setSelectionRange(noted.selectionStart, noted.selectionEnd);
    });
  }, [id]);
  return <textarea {...props} />;
}

function note(id: string): void {
  const field = areaOf(id);
  if (!field) return;
  const { value, selectionStart, selectionEnd } = field;
  const isReset = before.has(field) && value === field.defaultValue;
  if (!isReset) before.set(field, { value, selectionStart, selectionEnd });
}

/** The field that the server rendered, if any. */
function areaOf(id: string): HTMLTextAreaElement | null {
  return typeof document === "undefined" ? null : document.querySelector(`textarea[id="${id}"]`);
}
