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

/** The headers of a delivery signed as Slack does. */
export function slackHeaders(secret: string, body: string) {
  const time = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret).update(`v0:${time}:${body}`).digest("hex");
  return { "X-Slack-Request-Timestamp": `${time}`, "X-Slack-Signature": `v0=${signature}` };
}

/** The headers of a delivery signed as Shopify does. */
export function shopifyHeaders(secret: string, body: string, deliveryId: string) {
  return {
    "X-Shopify-Hmac-SHA256": createHmac("sha256", secret).update(body).digest("base64"),
    "X-Shopify-Webhook-Id": deliveryId,
  };
}

/** The headers of a delivery signed by Standard Webhooks, with a secret in base64. */
export function standardHeaders(secret: string, body: string, id: string) {
  const time = Math.floor(Date.now() / 1000);
  const hmac = createHmac("sha256", Buffer.from(secret, "base64"));
  const signature = hmac.update(`${id}.${time}.${body}`).digest("base64");
  return {
    "Webhook-Id": id,
    "Webhook-Timestamp": `${time}`,
    "Webhook-Signature": `v1,${signature}`,
  };
}
