import { integer } from "./variable";

export const rateLimits = {
  RATE_LIMIT_KEY: rateLimit(1200, "Requests a minute with one API key"),
  RATE_LIMIT_ANONYMOUS_CREATES: rateLimit(
    60,
    "Writes of any kind a minute from one address without a key",
  ),
  RATE_LIMIT_ARRIVALS: rateLimit(1200, "Requests a minute to one capture or ingest URL"),
  RATE_LIMIT_AGENT_ANONYMOUS: rateLimit(
    60,
    "Anonymous agent registrations an hour from one address",
  ),
  RATE_LIMIT_AGENT_ANONYMOUS_GLOBAL: rateLimit(
    1000,
    "Valid anonymous agent registrations an hour in total",
  ),
  RATE_LIMIT_AGENT_IDENTIFIED: rateLimit(
    60,
    "Agent registrations an hour from one address with an assertion or email address",
  ),
  RATE_LIMIT_AGENT_IDENTIFIED_GLOBAL: rateLimit(
    1000,
    "Valid agent registrations an hour by email address in total, and with an assertion by each provider",
  ),
  RATE_LIMIT_AGENT_CLAIM: rateLimit(
    30,
    "Starts of agent claims in 10 minutes from one address, and completions likewise",
  ),
  RATE_LIMIT_AGENT_REVOKE: rateLimit(60, "Revocations a minute from one address"),
};

function rateLimit(limit: number, what: string) {
  return integer({ min: 1, default: limit }, `${what}. Not counted in local mode.`);
}
