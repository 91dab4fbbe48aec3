"use client";

import { type ComponentProps, useEffect, useRef } from "react";

/** A search field that shows the words of the page's URL, unless others were typed since it was submitted. */
export function SearchInput({ value, ...props }: ComponentProps<"input"> & { value: string }) {
  const here = useRef<HTMLInputElement>(null);
  /** The words that the list shows, or will. */
  const submitted = useRef(value);

  useEffect(() => {
    const input = here.current;
    const over = new AbortController();
    const submit = () => {
      submitted.current = input?.value ?? "";
    };
    input?.form?.addEventListener("submit", submit, over);
    return () => over.abort();
  }, []);

  useEffect(() => {
    const input = here.current;
    if (!input || input.value !== submitted.current) return;
    input.value = value;
    submitted.current = value;
  }, [value]);

  return <input {...props} ref={here} type="search" defaultValue={value} />;
}
