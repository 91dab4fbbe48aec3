import type { ArtifactCreate } from "@/lib/artifacts/contract";
import type { TaskCreate } from "@/lib/tasks/contract";

/** What `npm run seed` fills an organization with: the work of a small warehouse and its agents. */
export const TASKS: (Omit<TaskCreate, "due_at" | "external_id"> & { dueInHours?: number })[] = [
  {
    name: "Reconcile the October payouts with the ledger",
    description:
      "Three payouts differ by less than a cent. Find out whether it is rounding or a missing fee.",
    priority: "critical",
    dueInHours: 5,
    labels: ["finance", "in-progress"],
  },
  {
    name: "Answer the supplier about pallet sizes",
    priority: "high",
    dueInHours: -20,
    labels: ["purchasing"],
  },
  {
    name: "Translate the release notes into Portuguese",
    priority: "medium",
    dueInHours: 30,
    labels: ["docs", "in-progress"],
  },
  {
    name: "Re-train the picker model on the new bins",
    priority: "high",
    dueInHours: 74,
    labels: ["robotics"],
  },
  {
    name: "Rotate the carrier’s API credentials",
    priority: "critical",
    dueInHours: -2,
    labels: ["security"],
  },
  { name: "Check why belt 4 stops at noon", priority: "high", labels: ["robotics", "in-progress"] },
  {
    name: "Draft the answer to the safety audit",
    priority: "medium",
    dueInHours: 120,
    labels: ["compliance"],
  },
  { name: "Merge duplicate customers in the CRM", priority: "low", labels: ["crm"] },
  { name: "Photograph the new packaging", priority: "low", labels: ["marketing", "done"] },
  {
    name: "Book a slot for the forklift inspection",
    priority: "medium",
    dueInHours: 200,
    labels: ["compliance", "done"],
  },
  {
    name: "Summarise support tickets of last week",
    priority: "medium",
    labels: ["support", "done"],
  },
  {
    name: "Compare three quotes for thermal labels",
    priority: "low",
    dueInHours: 96,
    labels: ["purchasing"],
  },
  { name: "Write the runbook for a lost pallet", priority: "low", labels: ["docs"] },
  {
    name: "Move the returns desk to the east gate",
    priority: "medium",
    dueInHours: 48,
    labels: ["warehouse"],
  },
  {
    name: "Ask the customs broker about form 23-B",
    priority: "high",
    dueInHours: 9,
    labels: ["purchasing", "customs"],
  },
  { name: "Close the books for week 46", priority: "high", dueInHours: 26, labels: ["finance"] },
];

export const DOCUMENTS: ArtifactCreate[] = [
  {
    name: "Weekly operations report",
    format: "markdown",
    content: `# Week 46

Throughput rose by **4.2 %**; returns fell below 2 % for the first time.

| Line | Orders | Errors |
|------|-------:|-------:|
| A    | 4 112  | 12     |
| B    | 3 870  | 31     |
| C    | 1 004  | 2      |

## What stood out

1. Belt 4 stopped on four days at noon. The charger shares its circuit.
2. The carrier's sandbox was down for six hours; nothing was lost.

> Line B needs a second scanner before December.

\`\`\`sql
SELECT line, count(*) FROM orders GROUP BY line;
\`\`\`
`,
  },
  {
    name: "Packing guidelines",
    format: "markdown",
    content: "# Packing\n\n- Fragile goods go on top.\n- Two layers of paper, never plastic.\n",
  },
  {
    name: "Throughput by hour",
    format: "html",
    content:
      "<!doctype html><title>Throughput</title><style>body{font:16px system-ui;padding:2rem}b{color:#3046c9}</style><h1>Throughput</h1><p>Peak at 14:00 with <b>612</b> orders.</p>",
  },
  {
    name: "Draft: answer to the safety audit",
    format: "markdown",
    content: "# Answer\n\nDear Ms Okafor,\n",
  },
];

interface Sender {
  times: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export const CAPTURES: { name: string; description: string; requests: Sender[] }[] = [
  {
    name: "Payments",
    description: "Events of the payment provider",
    requests: [
      {
        times: 26,
        method: "POST",
        path: "",
        headers: {
          "content-type": "application/json",
          "user-agent": "Payments/2.1",
          "x-signature": "t=1795248000,v1=6f1d",
        },
        body: '{"type": "payment.succeeded", "data": {"amount": COUNT, "currency": "eur", "customer": {"id": "cus_81", "email": "ana@example.com"}}}',
      },
      {
        times: 4,
        method: "POST",
        path: "/disputes",
        headers: { "content-type": "application/json", "user-agent": "Payments/2.1" },
        body: '{"type": "dispute.created", "data": {"amount": COUNT, "reason": "duplicate"}}',
      },
    ],
  },
  {
    name: "Carrier tracking",
    description: "Parcels in transit",
    requests: [
      {
        times: 18,
        method: "POST",
        path: "/status?carrier=dpx",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": "dpx-hook/1",
        },
        body: "parcel=COUNT&status=in_transit&hub=LEJ",
      },
      {
        times: 5,
        method: "GET",
        path: "/ping?probe=1",
        headers: { "user-agent": "uptime/3" },
      },
      {
        times: 2,
        method: "DELETE",
        path: "/parcels/9",
        headers: { "user-agent": "dpx-hook/1" },
      },
    ],
  },
  {
    name: "Repository",
    description: "Pushes and reviews",
    requests: [
      {
        times: 9,
        method: "PUT",
        path: "/push",
        headers: { "content-type": "application/json", "x-event": "push" },
        body: '{"ref": "refs/heads/main", "commits": [{"message": "Fix the scanner (#COUNT)", "author": {"name": "Kofi"}}]}',
      },
    ],
  },
];

export const JOBS = [
  { name: "Invoices", description: "PDFs to read", max_events: 1000, events: 42 },
  { name: "Photos", description: "Pictures to tag", max_events: 20, events: 19 },
  { name: "Refunds", description: "Wait for a person", max_events: 200, events: 6 },
];
