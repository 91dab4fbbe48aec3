import type { Encoding, SchemeName } from "./contract";

/** The values that a scheme reads from a request's headers. */
interface Signed {
  /** Hex or base64, as sent. */
  signatures: string[];
  /** The text that is signed before the body. */
  prefix: string;
  /** The signed time; undefined if the scheme has none, null if it is missing. */
  time?: string | null;
}

type GetHeader = (name: string) => string | null;

/** How a provider signs. It is always an HMAC with SHA-256 of `prefix` and the body. */
export interface Scheme {
  /** The header with the signature. */
  header: string;
  encoding: Encoding;
  /** True if the time is signed. */
  isTimed: boolean;
  /** Reads that header's value, and others. */
  read(value: string, get: GetHeader): Signed;
  /** The HMAC key; undefined if the secret cannot be one. */
  keyOf(secret: string): Buffer | undefined;
  /** The header, or the member of a JSON body, that contains the delivery's ID. */
  deliveryId: { header: string } | { member: string } | undefined;
}

const utf8 = (secret: string) => Buffer.from(secret, "utf8");

const github: Scheme = {
  header: "x-hub-signature-256",
  encoding: "hex",
  isTimed: false,
  deliveryId: { header: "x-github-delivery" },
  keyOf: utf8,
  read: (value) => ({ signatures: valuesOf(value, "sha256"), prefix: "" }),
};

const stripe: Scheme = {
  header: "stripe-signature",
  encoding: "hex",
  isTimed: true,
  deliveryId: { member: "id" },
  keyOf: utf8,
  read(value) {
    // With a repeated time, it would be unclear which one was signed.
    const times = valuesOf(value, "t");
    const time = times.length === 1 ? (times[0] ?? null) : null;
    return { signatures: valuesOf(value, "v1"), prefix: `${time}.`, time };
  },
};

const slack: Scheme = {
  header: "x-slack-signature",
  encoding: "hex",
  isTimed: true,
  deliveryId: { member: "event_id" },
  keyOf: utf8,
  read(value, get) {
    const time = get("x-slack-request-timestamp");
    return { signatures: valuesOf(value, "v0"), prefix: `v0:${time}:`, time };
  },
};

const shopify: Scheme = {
  header: "x-shopify-hmac-sha256",
  encoding: "base64",
  isTimed: false,
  deliveryId: { header: "x-shopify-webhook-id" },
  keyOf: utf8,
  read: (value) => ({ signatures: pieces(value, /,/), prefix: "" }),
};

const standardWebhooks: Scheme = {
  header: "webhook-signature",
  encoding: "base64",
  isTimed: true,
  deliveryId: { header: "webhook-id" },
  keyOf(secret) {
    const text = secret.startsWith("whsec_") ? secret.slice(6) : secret;
    return BASE64.test(text) ? Buffer.from(text, "base64") : undefined;
  },
  read(value, get) {
    const time = get("webhook-timestamp");
    const prefix = `${get("webhook-id") ?? ""}.${time}.`;
    // Each is `v1,<base64>`; a joined header adds commas between them.
    const signatures = Array.from(
      value.matchAll(/(?:^|[\s,])v1,([^\s,]+)/g),
      ([, one = ""]) => one,
    );
    return { signatures, prefix, time };
  },
};

/** Any header with an HMAC of the body, also as `sha256=…`. */
function hmac(header: string, encoding: Encoding): Scheme {
  return {
    header,
    encoding,
    isTimed: false,
    deliveryId: undefined,
    keyOf: utf8,
    read(value) {
      const whole = pieces(value, /[,\s]/);
      const afterEquals = whole.map((piece) => piece.slice(piece.indexOf("=") + 1));
      return { signatures: [...whole, ...afterEquals], prefix: "" };
    },
  };
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const known: Record<Exclude<SchemeName, "hmac">, Scheme> = {
  github,
  stripe,
  slack,
  shopify,
  standard_webhooks: standardWebhooks,
};

/** The scheme with this name. `hmac` takes its header and encoding from the settings. */
export function schemeOf(settings: {
  scheme: SchemeName;
  header: string | null;
  encoding: Encoding | null;
}): Scheme {
  const { scheme, header, encoding } = settings;
  return scheme === "hmac" ? hmac(header ?? "", encoding ?? "hex") : known[scheme];
}

/** The values of all `name=value` pieces with this name. */
function valuesOf(value: string, name: string): string[] {
  const start = `${name}=`;
  return pieces(value, /,/)
    .filter((piece) => piece.startsWith(start))
    .map((piece) => piece.slice(start.length));
}

function pieces(value: string, separator: RegExp): string[] {
  return value
    .split(separator)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== "");
}
