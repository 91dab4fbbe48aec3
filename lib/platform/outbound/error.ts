type OutboundFailure =
  | "timeout"
  | "dns_error"
  | "connection_refused"
  | "connection_reset"
  | "tls_error"
  | "blocked_address"
  | "response_too_large";

/**
 * A request without a complete response. `message` reveals no addresses, so it is safe to show to
 * callers. `status` is set once the response head has arrived.
 */
export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  readonly status: number | null;
  /** True if the request failed after connecting. */
  connected = false;
  /** The header of that name, once the response head has arrived. */
  retryAfter: string | undefined;

  constructor(failure: OutboundFailure, message: string, status: number | null = null) {
    super(message);
    this.failure = failure;
    this.status = status;
  }
}

/** One text for every refused address, so that it reveals nothing. */
export function blockedAddress(): OutboundError {
  return new OutboundError("blocked_address", "The target's address is not allowed.");
}

/** Converts a socket error. */
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
    return new OutboundError("response_too_large", "The response headers are too large.", status);
  }
  if (code.startsWith("HPE_")) {
    return new OutboundError(
      "connection_reset",
      `The response is not valid HTTP (${code}).`,
      status,
    );
  }
  if (/^(ERR_TLS_|ERR_SSL_|EPROTO)/.test(code)) return tlsError(code);
  return new OutboundError(
    "connection_reset",
    "The connection was closed before the response was complete.",
    status,
  );
}

/** `code` is the reason from OpenSSL or Node. */
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
