import type { MessageCreate } from "@/lib/resources/messages/contract";

interface AttemptResponse {
  /** Null if there was no response. */
  status: number | null;
  error?: string;
  body?: string;
  /** Milliseconds, if the error determines them. */
  took?: number;
}

/** The outcome of messages to one address, attempt by attempt. */
export interface Story {
  url: string;
  method?: MessageCreate["method"];
  body?: Record<string, string | number>;
  /** How many messages had this outcome in the last day. */
  count: number;
  responses: AttemptResponse[];
  /** Another attempt will follow. */
  goesOn?: boolean;
}

const OK = { status: 200, body: '{"ok": true}' };
const BUSY = { status: 503, error: "http_503", body: '{"error": "warming up"}' };
const SILENT = {
  status: null,
  took: 15_000,
  error: "timeout: The target did not respond within 15 seconds.",
};
const GONE = { status: 410, error: "http_410", body: '{"error": "This hook was removed."}' };
const REFUSED = {
  status: null,
  took: 3,
  error: "connection_refused: The target refused the connection.",
};

export const SENT: Story[] = [
  {
    url: "https://hooks.northwind.example/orders",
    body: { state: "packed" },
    count: 96,
    responses: [OK],
  },
  {
    url: "https://api.dpx-carrier.example/v2/pickups",
    method: "PUT",
    body: { hub: "LEJ" },
    count: 31,
    responses: [OK],
  },
  {
    url: "https://hooks.northwind.example/stock/levels",
    body: { bin: 61 },
    count: 18,
    responses: [BUSY, OK],
  },
  {
    url: "https://ledger.fjord-bank.example/entries",
    body: { account: "4400" },
    count: 7,
    responses: [SILENT, BUSY, { status: 201, body: '{"entry": 88}' }],
  },
  { url: "https://legacy.northwind.example/import", count: 2, responses: [GONE] },
  {
    url: "https://partners.adler-labels.example/webhook",
    body: { stage: "quote" },
    count: 1,
    responses: [REFUSED, REFUSED, BUSY, SILENT, REFUSED],
  },
  {
    url: "https://billing.fjord-bank.example/charges",
    body: { amount: 4120 },
    count: 2,
    responses: [BUSY, BUSY],
    goesOn: true,
  },
];

export const LATER: (Pick<MessageCreate, "url" | "method" | "body"> & { inSeconds: number })[] = [
  {
    url: "https://hooks.northwind.example/reminders/standup",
    body: '{"to": "ops"}',
    inSeconds: 1500,
  },
  {
    url: "https://api.dpx-carrier.example/v2/pickups/next",
    method: "PUT",
    body: '{"hub": "LEJ", "slots": 3}',
    inSeconds: 9000,
  },
  {
    url: "https://ledger.fjord-bank.example/close-week",
    body: '{"week": 46}',
    inSeconds: 86_400,
  },
  {
    url: "https://hooks.northwind.example/reminders/offsite",
    body: '{"to": "everyone"}',
    inSeconds: 7200,
  },
];
