"use client";

import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 300;

/** What the cron expression of the form around it means, and when it would run next, while it is typed. */
export function TimesPreview() {
  const here = useRef<HTMLParagraphElement>(null);
  const [words, setWords] = useState("");
  useEffect(() => {
    const form = here.current?.closest("form");
    if (!form) return;
    let timer: number | undefined;
    let asked = "";
    const read = async () => {
      const data = new FormData(form);
      const query = new URLSearchParams({
        cron: String(data.get("cron") ?? ""),
        timezone: String(data.get("timezone") ?? ""),
      });
      const wanted = String(query);
      if (wanted === asked) return;
      asked = wanted;
      const response = await fetch(`/schedules/times?${wanted}`).catch(() => undefined);
      // An earlier answer may arrive after a later one.
      if (asked === wanted) setWords(response?.ok ? await response.text() : "");
    };
    const plan = () => {
      window.clearTimeout(timer);
      timer = window.setTimeout(read, PAUSE_MS);
    };
    void read();
    form.addEventListener("input", plan);
    return () => {
      window.clearTimeout(timer);
      form.removeEventListener("input", plan);
    };
  }, []);
  return (
    // As tall as the text usually is in a pane, so that nothing moves when it arrives.
    <p ref={here} aria-live="polite" className="min-h-10 text-small text-muted sm:col-span-6">
      {words || <span className="noscript:hidden">The next times appear here.</span>}
    </p>
  );
}
