"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";

/** Says how many requests have come since the list was read; a click lets them in. Nothing jumps. */
export function LiveEvents({ streamUrl, newest }: { streamUrl: string; newest: string }) {
  const [fresh, setFresh] = useState<{ after: string; count: number }>({ after: newest, count: 0 });
  const [listening, setListening] = useState(false);
  const [loading, startLoading] = useTransition();
  const router = useRouter();

  useEffect(() => {
    setFresh({ after: newest, count: 0 });
    const separator = streamUrl.includes("?") ? "&" : "?";
    const stream = new EventSource(`${streamUrl}${separator}since=${newest}`);
    stream.onopen = () => setListening(true);
    stream.onerror = () => setListening(false);
    stream.onmessage = () =>
      setFresh(({ after, count }) => ({ after, count: after === newest ? count + 1 : 1 }));
    return () => stream.close();
  }, [streamUrl, newest]);

  return (
    <span className="flex items-center gap-3" aria-live="polite">
      <span className="flex items-center gap-1.5 text-small text-muted">
        <span
          aria-hidden="true"
          className={`size-1.5 rounded-full ${listening ? "bg-ok" : "bg-line-strong"}`}
        />
        {listening ? "live" : "connecting"}
      </span>
      {fresh.count > 0 && (
        <button
          type="button"
          disabled={loading}
          onClick={() => startLoading(() => router.refresh())}
          className="rounded-full bg-accent px-3 py-0.5 text-small font-medium text-accent-ink"
        >
          {fresh.count} new
        </button>
      )}
    </span>
  );
}
