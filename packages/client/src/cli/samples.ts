import { createHmac, randomUUID } from "node:crypto";

/** A sample of what a service sends to a webhook. */
interface Sample {
  headers: Record<string, string>;
  body: unknown;
  /** The headers with which the service signs these bytes. */
  sign(body: Uint8Array, secret: string, now: number): Record<string, string>;
}

/** The events that `trigger` can send, by name. Each call makes new IDs and times. */
export const samples = { github, stripe, slack, plain } satisfies Record<string, () => Sample>;

function github(): Sample {
  return {
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/sample",
      "x-github-delivery": randomUUID(),
      "x-github-event": "push",
    },
    body: {
      ref: "refs/heads/main",
      before: "6113728f27ae82c7b1a177c8d03f9e96e0adf246",
      after: "59b20b8d5c6ff8d09518216e87bc6bb2b6b4c7a3",
      repository: { id: 1, name: "demo", full_name: "octocat/demo", private: false },
      pusher: { name: "octocat", email: "octocat@example.com" },
      commits: [
        {
          id: "59b20b8d5c6ff8d09518216e87bc6bb2b6b4c7a3",
          message: "Update README.md",
          timestamp: new Date().toISOString(),
          author: { name: "octocat", email: "octocat@example.com" },
          modified: ["README.md"],
        },
      ],
    },
    sign: (body, secret) => ({ "x-hub-signature-256": `sha256=${hmac(secret, body)}` }),
  };
}

function stripe(): Sample {
  const created = Math.floor(Date.now() / 1000);
  return {
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    },
    body: {
      id: `evt_${randomUUID().replaceAll("-", "")}`,
      object: "event",
      type: "checkout.session.completed",
      created,
      livemode: false,
      data: {
        object: {
          id: `cs_test_${randomUUID().replaceAll("-", "")}`,
          object: "checkout.session",
          amount_total: 1999,
          currency: "eur",
          payment_status: "paid",
        },
      },
    },
    sign: (body, secret, now) => ({
      "stripe-signature": `t=${now},v1=${hmac(secret, `${now}.`, body)}`,
    }),
  };
}

function slack(): Sample {
  return {
    headers: { "content-type": "application/json", "user-agent": "Slackbot 1.0" },
    body: {
      type: "event_callback",
      team_id: "T0000000001",
      event_id: "Ev0000000001",
      event_time: Math.floor(Date.now() / 1000),
      event: { type: "app_mention", user: "U0000000001", text: "Hello", channel: "C0000000001" },
    },
    sign: (body, secret, now) => ({
      "x-slack-request-timestamp": String(now),
      "x-slack-signature": `v0=${hmac(secret, `v0:${now}:`, body)}`,
    }),
  };
}

/** Plain JSON in no service's format, signed the way GitHub signs. */
function plain(): Sample {
  return { ...github(), headers: { "content-type": "application/json" }, body: { hello: "world" } };
}

function hmac(secret: string, ...parts: (string | Uint8Array)[]): string {
  const sum = createHmac("sha256", secret);
  for (const part of parts) sum.update(part);
  return sum.digest("hex");
}
