"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useOnDemand } from "@/components/ui/on-demand";
import { type TimeWords, timeWords } from "@/components/ui/relative-time";
import { type Notification, onNotification, toast } from "@/components/ui/toast";

const loadPalette = () => import("./palette");
const loadToasts = () => import("./toasts");

/**
 * What the pages do beyond plain HTML, by one listener for each: `data-copy` copies, times stay
 * right, j and k walk the rows of a list, ⌘K opens the palette, what is said is shown and read aloud.
 */
export function GlobalShortcuts() {
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [palette, fetchPalette] = useOnDemand(loadPalette);
  const [notifications, setNotifications] = useState<Notification[]>([]);
  const [toasts, fetchToasts] = useOnDemand(loadToasts);
  const router = useRouter();

  useEffect(() => {
    const over = new AbortController();
    const openPalette = () => {
      setPaletteOpen(true);
      fetchPalette();
    };
    const keys = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        // What is asked is answered first.
        if (!within(event, "[role=alertdialog]")) openPalette();
      } else if (event.key === "Meta" || event.key === "Control") {
        // The K may follow: what is typed after it must find the palette there.
        fetchPalette();
      } else if (!isTyping(event)) walkList(event);
    };
    const receive = (one: Notification) => {
      setNotifications((before) => [...before, one]);
      if (one.isShown) fetchToasts();
    };
    document.addEventListener("click", copyFrom, over);
    document.addEventListener("keydown", keys, over);
    document.addEventListener("open-palette", openPalette, over);
    const unsubscribe = onNotification(receive);
    const clock = setInterval(renewTimes, 1000);
    return () => {
      over.abort();
      unsubscribe();
      clearInterval(clock);
    };
  }, [fetchPalette, fetchToasts]);

  const shown = notifications.filter(({ isShown }) => isShown);
  const announced = notifications.filter(({ isShown }) => !isShown);
  return (
    <>
      {/* In the first HTML: a region that comes with its words is not read aloud. */}
      <div role="status" aria-live="polite" aria-atomic="false">
        <p key={announced.length} className="sr-only">
          {announced.at(-1)?.words}
        </p>
        {toasts && <toasts.Toasts notifications={shown} />}
      </div>
      {paletteOpen && palette && (
        <palette.Palette onClose={() => setPaletteOpen(false)} go={(href) => router.push(href)} />
      )}
    </>
  );
}

async function copyFrom({ target }: MouseEvent) {
  if (!(target instanceof Element)) return;
  const text = target.closest<HTMLElement>("[data-copy]")?.dataset.copy;
  if (text === undefined) return;
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("The browser did not allow copying");
  }
}

/** Where keys have a meaning of their own. */
const KEYBOARD_WIDGETS =
  "input, textarea, select, [popover], [role=dialog], [role=alertdialog], [role=menu]";

function isTyping(event: KeyboardEvent) {
  return event.metaKey || event.ctrlKey || event.altKey || within(event, KEYBOARD_WIDGETS);
}

function within({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

function walkList(event: KeyboardEvent) {
  const step = { j: 1, k: -1 }[event.key];
  if (step === undefined) return;
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const open = rows.findIndex((row) => row.closest("[aria-current]"));
  const from = at === -1 ? open : at;
  const next = from === -1 ? rows.findIndex(isOnScreen) : from + step;
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
