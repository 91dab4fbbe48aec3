import { CommanderError } from "commander";
import { ApiError, ConnectionError } from "../api-error.js";
import { VERSION } from "../operations.js";
import { CliError, exitCodes, messageOf } from "./failure.js";
import { printable, printableJson } from "./printable.js";

/** Reports a command's error, as JSON on stdout or as text on stderr, and returns its exit code. */
export function report(error: unknown, json: boolean): number {
  const { exitCode, ...described } = describe(error);
  // Commander has already printed its help and usage errors.
  if (error instanceof CommanderError && (exitCode === exitCodes.ok || !json)) return exitCode;
  if (json) process.stdout.write(`${printableJson({ error: described })}\n`);
  else process.stderr.write(`${printable(`agent-infra: ${described.message}`)}\n`);
  return exitCode;
}

/** The exit code and the fields of a service error. */
function describe(error: unknown) {
  if (error instanceof CliError) {
    const { exitCode, code, message } = error;
    return { exitCode, code, message };
  }
  if (error instanceof CommanderError) {
    const exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return { exitCode, code: "usage", message: error.message.replace(/^error: /, "") };
  }
  if (error instanceof ApiError) {
    const { code, param, requestId: request_id } = error;
    return { exitCode: exitCodeOf(error), code, message: adviceOn(error), param, request_id };
  }
  if (error instanceof ConnectionError) {
    const message = `Cannot reach ${error.message}`;
    return { exitCode: exitCodes.network, code: "network", message };
  }
  if (error instanceof Error && error.name === "AbortError") {
    return { exitCode: exitCodes.interrupted, code: "interrupted", message: "Stopped." };
  }
  return { exitCode: exitCodes.failure, code: "failure", message: messageOf(error) };
}

/** The codes for a value that the service refuses. */
const USAGE = [
  "header_not_allowed",
  "invalid_json",
  "invalid_param",
  "missing_required_param",
  "payload_too_large",
  "unknown_param",
  "url_not_allowed",
];

function exitCodeOf({ status, code }: ApiError): number {
  if (USAGE.includes(code)) return exitCodes.usage;
  if (status === 401 || status === 403) return exitCodes.forbidden;
  const isElsewhere = code === "invalid_response" || [502, 503, 504].includes(status);
  return isElsewhere ? exitCodes.network : exitCodes.failure;
}

function adviceOn({ status, code, message }: ApiError): string {
  if (status === 401) return `${message} Run "agent-infra login", or pass --key.`;
  if (code !== "route_not_found") return message;
  return `${message} The service may have another version than this command, ${VERSION}.`;
}
