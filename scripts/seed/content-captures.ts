/** A service that sends to one of the endpoints. */
interface Sender {
  /** How often it sends, relative to the others. */
  weight: number;
  from: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

interface Endpoint {
  name: string;
  description: string;
  /** How many events there are. */
  events: number;
  requests: Sender[];
}

export const CAPTURES: Endpoint[] = [
  {
    name: "Payments",
    description: "Events of the payment provider",
    events: 130,
    requests: [
      {
        weight: 26,
        from: "203.0.113.24",
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
        weight: 4,
        from: "203.0.113.24",
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
    events: 96,
    requests: [
      {
        weight: 18,
        from: "203.0.113.24",
        method: "POST",
        path: "/status?carrier=dpx",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": "dpx-hook/1",
        },
        body: "parcel=COUNT&status=in_transit&hub=LEJ",
      },
      {
        weight: 5,
        from: "198.51.100.200",
        method: "GET",
        path: "/ping?probe=1",
        headers: { "user-agent": "uptime/3" },
      },
      {
        weight: 2,
        from: "203.0.113.24",
        method: "DELETE",
        path: "/parcels/9",
        headers: { "user-agent": "dpx-hook/1" },
      },
    ],
  },
  {
    name: "Belt sensors",
    description: "One line of text for each stop",
    events: 58,
    requests: [
      {
        weight: 5,
        from: "198.51.100.14",
        method: "POST",
        path: "/belt/4",
        headers: { "content-type": "text/plain", "user-agent": "belt-sensor/0.9" },
        body: "stop belt=4 item=COUNT cause=overheat",
      },
      {
        weight: 2,
        from: "198.51.100.15",
        method: "PATCH",
        path: "/belt/2/speed",
        headers: { "content-type": "application/json", "user-agent": "belt-sensor/0.9" },
        body: '{"belt": 2, "speed": 0.8, "item": COUNT}',
      },
    ],
  },
  { name: "Staging", description: "Nothing sends to it yet", events: 0, requests: [] },
];
