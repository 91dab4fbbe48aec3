"use client";

import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { Icon, type IconName } from "@/components/ui/icon";
import { places } from "./places";

interface Props {
  onClose(): void;
  go(href: string): void;
}

interface Jump {
  name: string;
  href: string;
  icon: IconName;
}

/** Jumps to a page, or to whatever has the ID that is pasted into it. */
export default function Palette({ onClose, go }: Props) {
  const [words, setWords] = useState("");
  const jumps = jumpsFor(words.trim());
  const jump = ({ href }: Jump) => {
    onClose();
    go(href);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Dialog.Popup
          aria-label="Go to"
          className="fixed inset-x-0 top-[12vh] z-50 mx-auto w-[min(34rem,calc(100vw-2rem))] overflow-hidden rounded-lg border border-line-strong/60 bg-canvas outline-none"
        >
          <Autocomplete.Root
            open
            inline
            mode="none"
            autoHighlight="always"
            items={jumps}
            itemToStringValue={({ name }) => name}
            value={words}
            onValueChange={setWords}
          >
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Icon name="search" className="text-muted" />
              <Autocomplete.Input
                aria-label="Page or ID"
                placeholder="Go to a page, or paste an ID"
                className="min-h-12 w-full bg-transparent outline-none placeholder:text-muted"
              />
            </div>
            <Autocomplete.Empty className="px-4 text-muted [&:not(:empty)]:py-4">
              No page has this name, and it is no ID that is known here.
            </Autocomplete.Empty>
            <Autocomplete.List className="max-h-80 overflow-y-auto p-1">
              {(one: Jump) => (
                <Autocomplete.Item
                  key={one.href}
                  value={one}
                  onClick={() => jump(one)}
                  className="flex cursor-pointer items-center gap-2.5 rounded-md px-3 py-2 data-highlighted:bg-surface"
                >
                  <Icon name={one.icon} className="text-muted" />
                  <span className="min-w-0 truncate">{one.name}</span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const ACTIONS: Jump[] = [
  { name: "New task", href: "/tasks?new=1", icon: "plus" },
  { name: "New key", href: "/keys?new=1", icon: "plus" },
  { name: "Claim several", href: "/claim", icon: "keys" },
];

/** Which page shows what has an ID of this prefix. */
const PREFIXES: Record<string, { path: string; noun: string; icon: IconName }> = {
  tsk: { path: "/tasks", noun: "task", icon: "tasks" },
  wh: { path: "/webhooks", noun: "webhook endpoint", icon: "webhooks" },
  art: { path: "/artifacts", noun: "artifact", icon: "artifacts" },
  msg: { path: "/messages", noun: "message", icon: "messages" },
  inbox: { path: "/inboxes", noun: "inbox", icon: "inboxes" },
};

function jumpsFor(words: string): Jump[] {
  const [id, prefix] = /\b([a-z]+)_[0-9A-Za-z]{10,}\b/.exec(words) ?? [];
  const kind = PREFIXES[prefix === "whe" ? "wh" : (prefix ?? "")];
  if (id && kind) {
    const event = /\b(?:wev|iev)_[0-9A-Za-z]+/.exec(words)?.[0];
    const below = event && event !== id ? `/events/${event}` : "";
    return [
      { name: `Open the ${kind.noun} ${id}`, href: `${kind.path}/${id}${below}`, icon: kind.icon },
      { name: `Claim the ${kind.noun}`, href: `/claim/${id}`, icon: "keys" },
    ];
  }
  const known: Jump[] = [...places, ...ACTIONS];
  return known.filter(({ name }) => name.toLowerCase().includes(words.toLowerCase()));
}
