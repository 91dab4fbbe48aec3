import type { RefObject } from "react";
import { Confirm } from "@/components/ui/confirm";
import { Icon } from "@/components/ui/icon";
import { counted } from "@/lib/platform/counted";
import { deleteTasks } from "../bulk-actions";
import type { Kind } from "./task-choices";
import type { LastChange } from "./use-bulk-change";

interface Props {
  ref: RefObject<HTMLElement | null>;
  ids: string[];
  last: LastChange | undefined;
  isBusy: boolean;
  pick(kind: Kind): void;
  undo(): void;
  close(): void;
}

/** The maximum number of tasks that one form deletes. */
const DELETED_MAX = 100;

const BUTTONS: [kind: Kind, name: string, key: string][] = [
  ["progress", "Progress", "s"],
  ["priority", "Priority", "p"],
  ["label", "Label", "l"],
  ["due_at", "Due", "d"],
];

/** The actions for the selected tasks, and the last change with its undo. */
export function SelectionBar({ ref, ids, last, isBusy, pick, undo, close }: Props) {
  if (ids.length === 0 && !last) return null;
  const count = counted(ids.length, "task");
  return (
    <section
      ref={ref}
      aria-label="Selected tasks"
      aria-busy={isBusy}
      className="popup fixed inset-x-4 bottom-20 z-30 mx-auto flex w-fit max-w-full flex-wrap items-center gap-2 p-2 aria-busy:opacity-60 sm:bottom-4"
    >
      {last && (
        <p className="flex items-center gap-2 px-1">
          <span className="wrap-anywhere">{last.words}</span>
          {last.undo.length > 0 && (
            <button type="button" onClick={undo} aria-keyshortcuts="Control+z" className="button">
              Undo
            </button>
          )}
        </p>
      )}
      {ids.length > 0 && (
        <>
          <p className="px-1 font-medium tabular-nums">{ids.length} selected</p>
          {BUTTONS.map(([kind, name, key]) => (
            <button
              key={kind}
              type="button"
              onClick={() => pick(kind)}
              title={`${name} (${key.toUpperCase()})`}
              aria-keyshortcuts={key}
              className="button"
            >
              {name}
            </button>
          ))}
          {ids.length > DELETED_MAX ? (
            <p className="px-1 text-small text-muted">Select at most {DELETED_MAX} to delete.</p>
          ) : (
            <Confirm
              label="Delete"
              title={`Delete ${count}?`}
              consequence={`Deletes ${count} for every agent that works on them. This cannot be undone.`}
              confirm={`Delete ${count}`}
              action={deleteTasks}
              fields={{ ids: ids.join(" ") }}
              successMessage={`${count} deleted`}
            />
          )}
        </>
      )}
      <button
        type="button"
        onClick={close}
        aria-label="Clear the selection"
        className="rounded p-1.5 text-muted hover:text-ink"
      >
        <Icon name="close" />
      </button>
    </section>
  );
}
