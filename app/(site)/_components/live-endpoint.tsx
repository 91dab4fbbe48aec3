import { Method } from "@/components/ui/method";
import { State } from "@/components/ui/state";

const REQUESTS = [
  { method: "POST", text: '{"type": "payment.succeeded", "amount": 8973}', age: "now" },
  { method: "POST", text: '{"type": "payment.failed", "amount": 120}', age: "12 s ago" },
  { method: "GET", text: "/health?probe=3", age: "40 s ago" },
  { method: "POST", text: '{"type": "payment.succeeded", "amount": 4210}', age: "1 min ago" },
  { method: "PUT", text: "photo=42&size=large", age: "3 min ago" },
] as const;

const BODY = `{
  "type": "payment.succeeded",
  "amount": 8973,
  "customer": { "id": "cus_81" }
}`;

/** A picture of an endpoint's page while requests arrive, made of the page's own components. */
export function LiveEndpoint({ host }: { host: string }) {
  return (
    <figure>
      <div
        role="img"
        aria-label="The page of an endpoint: its URL, the requests that it received with the newest on top, and the body of the newest"
        className="overflow-hidden rounded-lg border border-line bg-canvas"
      >
        <div className="flex items-baseline justify-between gap-3 border-b border-line px-4 py-3">
          <span className="font-semibold">Payments</span>
          <State word="Live" tone="ok" />
        </div>
        <p className="truncate border-b border-line bg-surface px-4 py-2.5 font-mono text-small">
          {host}/api/catch/wh_8DojyKq3ZsQmXr8uWb2Ng7
        </p>
        {REQUESTS.map(({ method, text, age }, index) => (
          <div
            key={age}
            className={`flex items-center gap-3 border-b border-line px-4 py-2 ${index === 0 ? "bg-accent/8" : ""}`}
          >
            <span className="flex w-12 shrink-0">
              <Method method={method} />
            </span>
            <span className="min-w-0 flex-1 truncate font-mono text-small">{text}</span>
            <span className="shrink-0 text-small text-muted tabular-nums">{age}</span>
          </div>
        ))}
        <pre className="bg-surface px-4 py-3 font-mono text-small whitespace-pre-wrap text-muted">
          {BODY}
        </pre>
      </div>
      <figcaption className="mt-3 text-small text-muted">
        A live endpoint. The response to a create has a <code className="font-mono">view_url</code>:
        a page that shows each request as it arrives, without an account.
      </figcaption>
    </figure>
  );
}
