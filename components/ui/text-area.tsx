"use client";

import { type ComponentProps, useLayoutEffect, useState } from "react";
import { setTyped } from "./typed-input";

type Props = ComponentProps<"textarea"> & { id: string };

interface Typed {
  value: string;
  selectionStart: number;
  selectionEnd: number;
}

/** By field. React may try to hydrate one several times, and each attempt sets it to its default. */
const typedBefore = new WeakMap<Element, Typed>();

/** A text area that keeps what is typed into it before React hydrates it. */
export function TextArea(props: Props) {
  const { id } = props;
  useState(() => noteTyped(id));
  useLayoutEffect(() => {
    const field = areaOf(id);
    const typed = field && typedBefore.get(field);
    if (!typed) return;
    typedBefore.delete(field);
    setTyped(field, typed.value);
    // After React has set the value of a controlled field, which moves the caret.
    queueMicrotask(() => field.setSelectionRange(typed.selectionStart, typed.selectionEnd));
  }, [id]);
  return <textarea {...props} />;
}

function noteTyped(id: string): void {
  const field = areaOf(id);
  if (!field || field.value === field.defaultValue) return;
  const { value, selectionStart, selectionEnd } = field;
  typedBefore.set(field, { value, selectionStart, selectionEnd });
}

/** The field that the server rendered, if any. */
function areaOf(id: string): HTMLTextAreaElement | null {
  return typeof document === "undefined" ? null : document.querySelector(`textarea[id="${id}"]`);
}
