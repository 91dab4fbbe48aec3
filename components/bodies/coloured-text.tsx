"use client";

import { type RefObject, useEffect, useRef } from "react";
import type { Language } from "./colours";

interface Props {
  label: string;
  language: Language | undefined;
  children: string;
}

/** Source text, coloured once scripts run. */
export function ColouredText({ label, language, children }: Props) {
  const pre = useRef<HTMLPreElement>(null);
  useColours(pre, children, language);
  return (
    <section aria-label={label} className="rounded-md border border-line bg-surface px-3 py-2">
      <pre ref={pre} className="code-text">
        {children}
      </pre>
    </section>
  );
}

/** Colours the text of an element that contains nothing else. */
export function useColours(
  element: RefObject<HTMLElement | null>,
  text: string,
  language: Language | undefined,
) {
  useEffect(() => {
    const node = element.current?.firstChild;
    if (!language || !(node instanceof Text)) return;
    // HTML turns every line break into LF, so positions would be off by the number of lines.
    if (node.data !== text) node.data = text;
    let remove: (() => void) | undefined;
    let isOver = false;
    const colouring = import("./colours").then(({ colour }) => colour(node, language));
    colouring.then(
      (undo) => {
        if (isOver) undo();
        else remove = undo;
      },
      // The text is readable without colours.
      () => {},
    );
    return () => {
      isOver = true;
      remove?.();
    };
  }, [element, text, language]);
}
