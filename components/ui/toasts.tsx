"use client";

import { Toast } from "@base-ui/react/toast";
import { useEffect, useRef } from "react";
import { Icon } from "@/components/ui/icon";
import type { Notification } from "@/components/ui/toast";

/** Shows each notification for some seconds, newest on top. Hover and focus keep it open. */
export function Toasts({ notifications }: { notifications: Notification[] }) {
  return (
    <Toast.Provider>
      {/* The parent is the live region; a second one would be read twice. */}
      <Toast.Viewport
        render={({ "aria-live": _live, ...rest }) => <div {...rest} />}
        className="fixed right-4 bottom-20 z-60 flex w-[min(22rem,calc(100vw-2rem))] flex-col items-end gap-2 outline-none sm:bottom-4"
      >
        <List notifications={notifications} />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

function List({ notifications }: { notifications: Notification[] }) {
  const { toasts, add } = Toast.useToastManager();
  const count = useRef(0);
  useEffect(() => {
    // A repeated text restarts its toast.
    for (const { text } of notifications.slice(count.current)) {
      add({ id: text, title: text, timeout: Math.max(5000, 80 * text.length) });
    }
    count.current = notifications.length;
  }, [notifications, add]);
  return toasts.map((toast) => (
    <Toast.Root
      key={`${toast.id} ${toast.updateKey}`}
      toast={toast}
      className="max-w-full translate-x-(--toast-swipe-movement-x) translate-y-(--toast-swipe-movement-y) rounded-md bg-ink text-canvas transition data-ending-style:opacity-0 data-limited:hidden data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-1 py-1 pr-1 pl-3">
        <Toast.Title render={<p />} className="min-w-0 py-0.5 wrap-anywhere" />
        {/* For the pointer; on the keyboard, Escape closes it. */}
        <Toast.Close
          tabIndex={-1}
          aria-label="Close"
          className="rounded p-1.5 opacity-70 hover:opacity-100"
        >
          <Icon name="close" className="size-3.5" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
