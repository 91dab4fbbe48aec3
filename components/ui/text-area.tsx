"use client";

import { type ComponentProps, useLayoutEffect, useState } from "react";
import { type Control, Field } from "./field";
import { setTyped } from "./typed-input";

type Props = ComponentProps<"textarea"> & { id: string };

interface Input {
  value: string;
  selectionStart: number;
  selectionEnd: number;
}

/** Each field's input before React hydrated it, since hydration resets it, perhaps repeatedly. */
const before = new WeakMap<Element, Input>();

/** A text area that keeps what was typed or selected in it before hydration. */
export function TextArea(props: Props) {
  const { id } = props;
  useState(() => noteInput(id));
  useLayoutEffect(() => {
    const field = areaOf(id);
    const input = field && before.get(field);
    if (!input) return;
    before.delete(field);
    if (input.value !== field.value) setTyped(field, input.value);
    // Runs after React has set the value of a controlled field, which moves the caret.
    queueMicrotask(() => {
      if (field !== document.activeElement) return;
      field.setSelectionRange(input.selectionStart, input.selectionEnd);
    });
  }, [id]);
  return <textarea {...props} />;
}

export function TextAreaField(props: Control<"textarea">) {
  const { label, hint, className, aside, look = "field", ...area } = props;
  return (
    <Field {...{ label, hint, className, aside }}>
      {(id) => <TextArea id={id} className={look} {...area} />}
    </Field>
  );
}

/** A later attempt that finds the default would record what React has reset, so it is ignored. */
function noteInput(id: string): void {
  const field = areaOf(id);
  if (!field) return;
  const { value, selectionStart, selectionEnd } = field;
  const isReset = before.has(field) && value === field.defaultValue;
  if (!isReset) before.set(field, { value, selectionStart, selectionEnd });
}

/** The field in the page, if any. On the first render, only one that the server rendered. */
function areaOf(id: string): HTMLTextAreaElement | null {
  return typeof document === "undefined" ? null : document.querySelector(`textarea[id="${id}"]`);
}
