"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useState } from "react";
import { type TimeWords, timeWords } from "@/components/ui/relative-time";

const loadPalette = () => import("./palette");
const Palette = lazy(loadPalette);

/**
 * What the pages do beyond plain HTML, by one listener for each: `data-copy` copies, times stay
 * right, j and k walk the rows of a list, ⌘K opens the palette.
 */
export function Conveniences() {
  const [said, say] = useState("");
  const [paletteOpen, setPaletteOpen] = useState(false);
  const router = useRouter();

  useEffect(() => {
    const copy = (event: MouseEvent) => void copyFrom(event.target, say);
    document.addEventListener("click", copy);
    const keys = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setPaletteOpen(true);
      } else if (event.key === "Meta" || event.key === "Control") {
        // The K may follow: what is typed after it must find the palette there.
        void loadPalette();
      } else if (!isTyping(event)) walkList(event);
    };
    document.addEventListener("keydown", keys);
    const clock = setInterval(renewTimes, 1000);
    return () => {
      document.removeEventListener("click", copy);
      document.removeEventListener("keydown", keys);
      clearInterval(clock);
    };
  }, []);

  useEffect(() => {
    const open = () => setPaletteOpen(true);
    document.addEventListener("open-palette", open);
    return () => document.removeEventListener("open-palette", open);
  }, []);

  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => say(""), 2000);
    return () => clearTimeout(timer);
  }, [said]);

  return (
    <>
      <p
        role="status"
        className={`fixed right-4 bottom-20 z-40 rounded-md bg-ink px-3 py-1.5 text-small text-canvas sm:bottom-4 ${said ? "" : "sr-only"}`}
      >
        {said}
      </p>
      {paletteOpen && (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} go={(href) => router.push(href)} />
        </Suspense>
      )}
    </>
  );
}

async function copyFrom(target: EventTarget | null, say: (words: string) => void) {
  if (!(target instanceof Element)) return;
  const text = target.closest<HTMLElement>("[data-copy]")?.dataset.copy;
  if (text === undefined) return;
  try {
    await navigator.clipboard.writeText(text);
    say("Copied");
  } catch {
    say("The browser did not allow copying");
  }
}

function isTyping({ target, metaKey, ctrlKey, altKey }: KeyboardEvent) {
  if (metaKey || ctrlKey || altKey) return true;
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, dialog, [popover]")
  );
}

function walkList(event: KeyboardEvent) {
  const step = { j: 1, k: -1 }[event.key];
  if (step === undefined) return;
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? rows.findIndex(isOnScreen) : at + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
  event.preventDefault();
}

/** Below what sticks to the top of a list. */
function isOnScreen(row: HTMLElement) {
  return row.getBoundingClientRect().top >= 64;
}

/** Changes the text that React wrote, in its own text node, so that React still knows it. */
function renewTimes() {
  for (const time of document.querySelectorAll<HTMLElement>("time[data-words]")) {
    const { unix, words: how } = time.dataset;
    const words = timeWords[how as TimeWords](Number(unix), Date.now() / 1000);
    if (time.firstChild && time.firstChild.nodeValue !== words) time.firstChild.nodeValue = words;
  }
}
