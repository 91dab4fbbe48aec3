"use client";

import { Dialog } from "@base-ui/react/dialog";
import { Icon } from "@/components/ui/icon";

const COMMAND = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** Commas separate alternatives; spaces separate keys that are pressed together. */
const GROUPS: [title: string, keys: [keys: string, meaning: string][]][] = [
  [
    "Everywhere",
    [
      [`${COMMAND} K`, "Go to a page, name or ID"],
      ["/", "Search the list"],
      ["c", "Create"],
      ["Esc", "Close the form or the pane, then go up"],
      ["?", "These shortcuts"],
    ],
  ],
  [
    "Lists",
    [
      ["j, k", "Next, previous"],
      ["Enter", "Open"],
      ["i", "Into the open pane"],
      ["e", "Edit the open item"],
    ],
  ],
  [
    "Tasks",
    [
      ["x", "Select or deselect"],
      ["Shift ↓, Shift ↑", "Extend the selection down, up"],
      [`${COMMAND} A`, "Select all shown"],
      ["s", "Progress"],
      ["p", "Priority"],
      ["l", "Add or remove a label"],
      ["d", "Due"],
      ["e", "Edit"],
      ["Delete", "Delete the selected tasks"],
      [`${COMMAND} Z`, "Undo the last change"],
    ],
  ],
  ["Board", [["←, →", "Move the card"]]],
];

/** The keyboard shortcuts of the dashboard. */
export function ShortcutSheet({ onClose }: { onClose(): void }) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="veil" />
        <Dialog.Popup className="popup fixed inset-x-0 top-[8vh] mx-auto max-h-[84vh] w-[min(44rem,calc(100vw-2rem))] overflow-y-auto p-5 outline-none">
          <div className="flex items-start justify-between gap-3">
            <Dialog.Title className="text-lead font-semibold">Keyboard shortcuts</Dialog.Title>
            <Dialog.Close
              aria-label="Close"
              className="-mt-1 -mr-1.5 rounded p-1.5 text-muted hover:text-ink"
            >
              <Icon name="close" />
            </Dialog.Close>
          </div>
          <div className="mt-3 gap-x-8 sm:columns-2">
            {GROUPS.map(([title, keys]) => (
              <section key={title} className="mb-5 break-inside-avoid">
                <h3 className="mb-1.5 text-small text-muted">{title}</h3>
                <dl className="grid gap-1.5">
                  {keys.map(([names, meaning]) => (
                    <div key={names} className="flex justify-between gap-3">
                      <dt className="order-last flex shrink-0 items-center gap-1">
                        <Keys names={names} />
                      </dt>
                      <dd className="min-w-0">{meaning}</dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Keys({ names }: { names: string }) {
  return names.split(", ").map((together, index) => (
    <span key={together} className="flex items-center gap-1">
      {index > 0 && <span className="sr-only">or</span>}
      {together.split(" ").map((name) => (
        <kbd
          key={name}
          className="min-w-6 rounded border border-line bg-surface px-1.5 text-center font-mono text-small"
        >
          {name}
        </kbd>
      ))}
    </span>
  ));
}
