import { useEffect, useState } from "react";
import { Method } from "@/components/ui/method";
import { State } from "@/components/ui/state";
import type { WebhookEvent } from "@/lib/resources/webhooks/events/contract";

/** A request, as the page of an endpoint lists it. */
interface Row {
  id: string;
  method: string;
  text: string;
  /** Unix seconds. */
  at: number;
}

interface Endpoint {
  id: string;
  url: string;
  view_url: string;
}

/** The sample requests until the visitor makes an endpoint. `ago` is in seconds. */
const PICTURED: [method: string, text: string, ago: number][] = [
  ["POST", '{"type": "payment.succeeded", "amount": 8973}', 2],
  ["POST", '{"type": "payment.failed", "amount": 120}', 12],
  ["GET", "/health?probe=3", 40],
  ["PUT", "photo=42&size=large", 184],
];
const POLL_MS = 2000;
/** Ten minutes in a visible tab. */
const POLLS_MAX = 300;
/** Characters of a request that a screen reader reads aloud. */
const ANNOUNCED_MAX = 100;

/** An endpoint that fills before the visitor's eyes: at first a picture of one, then a real one. */
export function LiveEndpoint({ host }: { host: string }) {
  const [endpoint, setEndpoint] = useState<Endpoint>();
  const [rows, setRows] = useState<Row[]>([]);
  const [seconds, setSeconds] = useState(0);
  const [isPaused, setPaused] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const clock = setInterval(() => setSeconds((before) => before + 1), 1000);
    return () => clearInterval(clock);
  }, []);
  useEffect(() => {
    if (!endpoint || isPaused) return;
    let polls = 0;
    const read = async () => {
      if (document.hidden) return;
      if (polls++ >= POLLS_MAX) return setPaused(true);
      setRows(await eventsOf(endpoint.id));
    };
    const timer = setInterval(() => read().catch(() => {}), POLL_MS);
    return () => clearInterval(timer);
  }, [endpoint, isPaused]);
  const attempt = (work: () => Promise<unknown>) => async () => {
    setProblem("");
    await work().catch(() => setProblem("That did not work. Try again in a minute."));
  };
  const make = async () => {
    const body = JSON.stringify({ name: "Made on the home page" });
    setEndpoint(await answer("/api/webhooks", { method: "POST", headers: JSON_TYPE, body }));
  };
  const send = async (to: Endpoint) => {
    const body = JSON.stringify({ type: "payment.succeeded", amount: 100 + seconds });
    await answer(`/api/catch/${to.id}`, { method: "POST", headers: JSON_TYPE, body });
    setRows(await eventsOf(to.id));
  };
  const now = Date.now() / 1000;
  const shown = endpoint
    ? rows.map((row) => ({ ...row, age: Math.max(Math.round(now - row.at), 0) }))
    : PICTURED.map(([method, text, age]) => ({ id: text, method, text, age: age + seconds }));
  const newest = rows[0] ? `${rows[0].method} ${rows[0].text.slice(0, ANNOUNCED_MAX)}` : "";
  return (
    <figure>
      <div
        {...(!endpoint && {
          role: "img",
          "aria-label": "The page of an endpoint: its URL, and the requests that it received",
        })}
        className="overflow-hidden rounded-lg border border-line bg-canvas"
      >
        <div className="flex items-baseline justify-between gap-3 border-b border-line px-4 py-3">
          <span className="font-semibold">{endpoint ? "Yours" : "Payments"}</span>
          <State word={isPaused ? "Paused" : "Live"} tone={isPaused ? "quiet" : "ok"} />
        </div>
        <p className="truncate border-b border-line bg-surface px-4 py-2.5 font-mono text-small select-all">
          {endpoint?.url ?? `${host}/api/catch/wh_8DojyKq3ZsQmXr8uWb2Ng7`}
        </p>
        {endpoint && (
          // Leaves out the ages, which change all the time.
          <p aria-live="polite" className="sr-only">
            {isPaused ? "Paused" : newest}
          </p>
        )}
        <div className="min-h-37">
          {endpoint && shown.length === 0 && (
            <p className="px-4 py-4 text-muted">Nothing has arrived yet.</p>
          )}
          {shown.map(({ id, method, text, age }, index) => (
            <div
              key={id}
              className={`flex items-center gap-3 border-b border-line px-4 py-2 ${index === 0 ? "bg-accent/8" : ""}`}
            >
              <span className="flex w-12 shrink-0">
                <Method method={method} />
              </span>
              <span className="min-w-0 flex-1 truncate font-mono text-small">{text}</span>
              <span className="shrink-0 text-small text-muted tabular-nums">{ago(age)}</span>
            </div>
          ))}
        </div>
      </div>
      <figcaption className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-small text-muted">
        {endpoint ? (
          <>
            <button type="button" className="button" onClick={attempt(() => send(endpoint))}>
              Send a request
            </button>
            {isPaused && (
              <button type="button" className="button" onClick={() => setPaused(false)}>
                Resume
              </button>
            )}
            <a href={endpoint.view_url} className="link">
              Open its page
            </a>
          </>
        ) : (
          <button type="button" className="button" onClick={attempt(make)}>
            Make a real one
          </button>
        )}
        <span role="status">{problem || "It needs no account, and anything may send to it."}</span>
      </figcaption>
    </figure>
  );
}

const JSON_TYPE = { "Content-Type": "application/json" };

async function answer(path: string, init?: RequestInit) {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

/** The newest requests of an endpoint. */
async function eventsOf(id: string): Promise<Row[]> {
  const { data } = await answer(`/api/webhooks/${id}/events?limit=4`);
  return data.map((event: WebhookEvent) => ({
    id: event.id,
    method: event.method,
    text: event.body || event.path,
    at: event.received_at,
  }));
}

function ago(seconds: number): string {
  return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
}
