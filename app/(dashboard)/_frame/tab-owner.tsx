"use client";

import { useEffect } from "react";
import { setPageOwner } from "@/components/ui/use-poll";

const KEY = "owner";
/** Recent pages, and what was typed: see recent.ts and `keptKey`. */
const KEPT = /^(recent$|draft )/;

/**
 * Tells polls whose page this is, and forgets what the tab keeps when it shows the dashboard of another person or
 * organization. The owner is not the session: those who sign in again find what they wrote.
 */
export function TabOwner({ owner }: { owner: string }) {
  useEffect(() => {
    setPageOwner(owner);
    return () => setPageOwner(undefined);
  }, [owner]);
  useEffect(() => {
    const before = sessionStorage.getItem(KEY);
    sessionStorage.setItem(KEY, owner);
    if (before === null || before === owner) return;
    for (const key of Object.keys(sessionStorage)) {
      if (KEPT.test(key)) sessionStorage.removeItem(key);
    }
  }, [owner]);
  return null;
}
