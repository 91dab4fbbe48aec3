import { createHmac } from "node:crypto";

/** The headers of a delivery signed as GitHub does. */
export function githubHeaders(secret: string, body: string | Uint8Array, deliveryId?: string) {
  const signature = createHmac("sha256", secret).update(body).digest("hex");
  return {
    "X-Hub-Signature-256": `sha256=${signature}`,
    "X-GitHub-Event": "push",
    ...(deliveryId !== undefined && { "X-GitHub-Delivery": deliveryId }),
  };
}

/** The header of a delivery signed as Stripe does. */
export function stripeHeaders(secret: string, body: string, time = Math.floor(Date.now() / 1000)) {
  const signature = createHmac("sha256", secret).update(`${time}.${body}`).digest("hex");
  return { "Stripe-Signature": `t=${time},v1=${signature}` };
}
