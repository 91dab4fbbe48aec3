export type OutboundFailure =
  | "timeout"
  | "dns_error"
  | "connection_refused"
  | "connection_reset"
  | "tls_error"
  | "blocked_address"
  | "response_too_large";

/**
 * A request that got no whole answer. `message` may be shown to whoever chose the target: it says
 * nothing of addresses. `status` is the answer's, when its head had arrived.
 */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  readonly status: number | null;
  /** Set once there was a connection: what failed then was the exchange. */
  connected = false;

  constructor(failure: OutboundFailure, message: string, status: number | null = null) {
    super(message);
    this.failure = failure;
    this.status = status;
  }
}

/** The one text for every refused address, whatever the reason. */
export function blockedAddress(): OutboundError {
  return new OutboundError("blocked_address", "The target's address is not allowed.");
}

/** What went wrong on a socket, as an `OutboundError`. */
export function toOutboundError(thrown: unknown, status: number | null = null): OutboundError {
  if (thrown instanceof OutboundError) return thrown;
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  if (UNREACHABLE.includes(code)) {
    return new OutboundError(
      "connection_refused",
      `The target does not accept connections (${code}).`,
      status,
    );
  }
  if (code === "ETIMEDOUT") {
    return new OutboundError("timeout", "The connection timed out.", status);
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new OutboundError("response_too_large", "The answer's headers are too large.", status);
  }
  if (code.startsWith("HPE_")) {
    return new OutboundError("connection_reset", `The answer is not HTTP (${code}).`, status);
  }
  if (/^(ERR_TLS_|ERR_SSL_|EPROTO)/.test(code)) return tlsError(code);
  return new OutboundError(
    "connection_reset",
    "The connection broke before the answer was whole.",
    status,
  );
}

/** A failed TLS handshake; `code` names the reason as OpenSSL and Node do. */
export function tlsError(code: string): OutboundError {
  return new OutboundError("tls_error", `The TLS handshake failed (${code || "no reason given"}).`);
}

const UNREACHABLE = [
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "ENETDOWN",
  "EADDRNOTAVAIL",
  "EACCES",
  "EPERM",
  "EINVAL",
];
