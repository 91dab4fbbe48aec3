"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { Notifications } from "@/components/ui/notifications";
import { useOnDemand } from "@/components/ui/on-demand";
import { type TimeFormat, timeFormats } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { isTyping, within } from "./is-typing";
import type { May } from "./palette-items";
import { walkList } from "./walk-list";

/** Loaded on demand: it would add 57 kB to every page. */
const loadPalette = () => import("./palette");
const loadSheet = () => import("./shortcut-sheet");

interface Props {
  /** Signed out. */
  isVisitor?: boolean;
  /** Limits what the palette offers. */
  may?: May;
}

/**
 * Document-wide behaviour: `data-copy` copies, `data-palette` opens the palette, relative times tick, a list's rows open without a
 * reload, keys press controls and move through lists, Ctrl K opens the palette, and notifications are shown
 * and announced.
 */
export function GlobalShortcuts({ isVisitor = false, may = "all" }: Props) {
  const [paletteOpen, setPaletteOpen] = useState(false);
  const [palette, fetchPalette] = useOnDemand(loadPalette);
  const [sheetOpen, setSheetOpen] = useState(false);
  const [sheet, fetchSheet] = useOnDemand(loadSheet);
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
        // A confirmation must be answered first.
        if (!within(event, "[role=alertdialog]")) openPalette();
      } else if (event.key === "Meta" || event.key === "Control") {
        // Loads the palette now, so that it does not miss what is typed after Ctrl K.
        fetchPalette();
      } else if (!isTyping(event) && !event.defaultPrevented) {
        if (event.key === "?") {
          setSheetOpen(true);
          fetchSheet();
        } else if (event.key === "i" && focusPane()) event.preventDefault();
        else if (pressControl(event.key)) event.preventDefault();
        else if (event.key === "/") openPalette();
        else walkList(event);
      }
    };
    const follow = (event: MouseEvent) => {
      if (event.target instanceof Element && event.target.closest("[data-palette]")) openPalette();
      const row = rowToFollow(event);
      if (!row) return;
      event.preventDefault();
      router.push(row.pathname + row.search, { scroll: row.dataset.row !== "keep-scroll" });
    };
    document.addEventListener("click", copyFrom, over);
    document.addEventListener("click", follow, over);
    document.addEventListener("keydown", keys, over);
    const clock = setInterval(renewTimes, 1000);
    const { early = [] } = window;
    window.early = undefined;
    for (const pressed of new Set(early)) pressed.click();
    return () => {
      over.abort();
      clearInterval(clock);
    };
  }, [fetchPalette, fetchSheet, router]);

  return (
    <>
      <Notifications />
      {sheetOpen && sheet && <sheet.ShortcutSheet onClose={() => setSheetOpen(false)} />}
      {paletteOpen && palette && (
        <palette.Palette
          isVisitor={isVisitor}
          may={may}
          onClose={() => setPaletteOpen(false)}
          go={(href) => router.push(href)}
        />
      )}
    </>
  );
}

async function copyFrom({ target }: MouseEvent) {
  if (!(target instanceof Element)) return;
  const { copy, copyJson } = target.closest<HTMLElement>("[data-copy]")?.dataset ?? {};
  const text: string | undefined = copyJson === undefined ? copy : JSON.parse(copyJson);
  if (text === undefined) return;
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("The browser did not allow copying");
  }
}

/** The row to open in this tab for a click; undefined if React has handled the click. */
function rowToFollow(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0 || !(event.target instanceof Element)) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  return event.target.closest<HTMLAnchorElement>("a[data-row], a[data-follow]") ?? undefined;
}

/** Moves the focus into the open pane, which Tab then walks; returns whether there is one. */
function focusPane(): boolean {
  const title = document.querySelector<HTMLElement>("main [data-pane-title]");
  title?.focus();
  return title !== null;
}

/** Keys that press the last control with that shortcut: a form comes after the pane it is in. */
const PRESSING = ["c", "e", "/", "Escape"];

/** Returns whether there was such a control. */
function pressControl(key: string): boolean {
  if (!PRESSING.includes(key)) return false;
  // The browser closes what is on top.
  if (key === "Escape" && document.querySelector(":popover-open, dialog:modal")) return false;
  const controls = document.querySelectorAll<HTMLElement>(`main [aria-keyshortcuts="${key}"]`);
  const isThere = (one: HTMLElement) => one.checkVisibility() || one.closest("[popover]") !== null;
  const control = [...controls].filter(isThere).at(-1);
  if (control instanceof HTMLInputElement) control.select();
  else control?.click();
  return control !== undefined;
}

/** Changes the text inside React's own text node, so that React can still update it. */
function renewTimes() {
  for (const time of document.querySelectorAll<HTMLElement>("time[data-format]")) {
    const { unix, format } = time.dataset;
    const words = timeFormats[format as TimeFormat](Number(unix), Date.now() / 1000);
    if (time.firstChild && time.firstChild.nodeValue !== words) time.firstChild.nodeValue = words;
  }
}
