"use client";

import { useEffect, useState } from "react";
import { useOnDemand } from "./on-demand";
import { type Notification, onNotification } from "./toast";

/** Loaded on demand, since most pages show none. */
const loadToasts = () => import("./toasts");

/** Shows the page's notifications, and reads them aloud. */
export function Notifications() {
  const [notifications, setNotifications] = useState<Notification[]>([]);
  const [toasts, fetchToasts] = useOnDemand(loadToasts);
  useEffect(
    () =>
      onNotification((one) => {
        setNotifications((before) => [...before, one]);
        if (one.isShown) fetchToasts();
      }),
    [fetchToasts],
  );
  const shown = notifications.filter(({ isShown }) => isShown);
  const announced = notifications.filter(({ isShown }) => !isShown);
  return (
    /* In the initial HTML: screen readers ignore a live region that is added with its text. */
    <div role="status" aria-live="polite" aria-atomic="false">
      <p key={announced.length} className="sr-only">
        {announced.at(-1)?.text}
      </p>
      {toasts && <toasts.Toasts notifications={shown} />}
    </div>
  );
}
