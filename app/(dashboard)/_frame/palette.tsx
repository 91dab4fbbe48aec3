"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { type MouseEvent, useEffect, useState } from "react";
import { Icon } from "@/components/ui/icon";
import type { NavItem } from "./nav-items";
import { type May, type PaletteGroup, paletteGroups, serverQuery } from "./palette-items";
import { recentItems } from "./recent";

interface Props {
  /** Signed out, perhaps after somebody else's visit in this tab. */
  isVisitor: boolean;
  may: May;
  onClose(): void;
  go(href: string): void;
}

/** Longer than the time between two key presses of one word. */
const PAUSE_MS = 120;

/** Opens a page, an action, or a resource: a recent one, or one by its ID or name. */
export function Palette({ isVisitor, may, onClose, go }: Props) {
  const [words, setWords] = useState("");
  const { found, asking, hasFailed } = useServerResults(words.trim());
  const [recent] = useState(() => (isVisitor ? [] : recentItems()));
  const groups = paletteGroups(words.trim(), recent, found, may);
  const jump = (event: MouseEvent, { href }: NavItem) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onClose();
    go(href);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup
          aria-label="Go to"
          className="popup fixed inset-x-0 top-[12vh] mx-auto w-[min(34rem,calc(100vw-2rem))] overflow-hidden outline-none"
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            autoHighlight="always"
            items={groups}
            itemToStringValue={({ name }) => name}
            value={words}
            onValueChange={setWords}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Icon name="search" className="text-muted" />
              <Autocomplete.Input
                aria-label="Page, ID or name"
                placeholder="Go to a page or a name, or paste an ID"
                className="min-h-12 w-full bg-transparent outline-none placeholder:text-muted"
              />
            </div>
            <Autocomplete.Empty className="px-4 text-muted [&:not(:empty)]:py-4">
              {asking
                ? "Searching…"
                : hasFailed
                  ? "The search failed. Try again."
                  : "Nothing found."}
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-80 overflow-y-auto p-1">
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-small text-muted">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(one: NavItem) => (
                      <Autocomplete.Item
                        key={one.href}
                        value={one}
                        // A link, so that a form with unsaved text can ask before the page is left.
                        render={<a href={one.href} />}
                        onClick={(event) => jump(event, one)}
                        className="flex cursor-pointer items-center gap-2.5 rounded-md px-3 py-2 data-highlighted:bg-surface"
                      >
                        <Icon name={one.icon} className="text-muted" />
                        <span className="min-w-0 truncate">{one.name}</span>
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The server's results for the typed text, debounced. None for a visitor who is signed out. */
function useServerResults(words: string) {
  const [answer, setAnswer] = useState<{ question: string; jumps: NavItem[] | null }>();
  const question = serverQuery(words);
  useEffect(() => {
    if (question === undefined) return;
    const ended = new AbortController();
    const ask = async () => {
      const response = await fetch(`/dashboard/find?${question}`, { signal: ended.signal });
      const none = response.status === 401 ? [] : null;
      setAnswer({ question, jumps: response.ok ? await response.json() : none });
    };
    const fail = () => {
      if (!ended.signal.aborted) setAnswer({ question, jumps: null });
    };
    const timer = setTimeout(() => ask().catch(fail), PAUSE_MS);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  }, [question]);
  const jumps = answer?.question === question ? answer?.jumps : undefined;
  return {
    found: jumps ?? [],
    asking: question !== undefined && jumps === undefined,
    hasFailed: jumps === null,
  };
}
