import { failuresOf, isGuarded, statusIn } from "@/lib/api/statuses";
import { errorTexts } from "@/lib/docs/error-codes";
import { type ErrorCode, errorCodes, statusOf } from "@/lib/platform/errors";
import { createsClaimable, type Operation } from "@/lib/platform/http/operation";
import { operationLink } from "./operation-link";

/** The codes that an operation can return, in the order of the errors page. */
export function codesOf(operation: Operation, all: readonly Operation[]): ErrorCode[] {
  const {
    auth,
    scope,
    path,
    query,
    anyQuery,
    body,
    repeatable,
    ranges,
    subpaths,
    method,
    dispatchSecret,
    takesClaimToken,
    errors,
  } = operation;
  const statuses = failuresOf(operation, all);
  const hasOneCode = errors.includes("invalid_request"); // for all bad input
  const isInput = body !== null || query !== null;
  const hasId = path.includes("{") && !subpaths;
  const isClaimable = createsClaimable(operation);
  const general: Partial<Record<ErrorCode, boolean>> = {
    invalid_json: body !== null,
    unknown_param: !hasOneCode && (!anyQuery || body !== null),
    missing_required_param: hasRequired(body) || hasRequired(query),
    invalid_param: !hasOneCode && (isInput || repeatable),
    resource_already_claimed: isClaimable,
    unauthorized: auth === "required" || dispatchSecret,
    invalid_api_key: auth !== "ignored",
    forbidden: auth !== "ignored" && (hasId || auth === "required"),
    insufficient_scope: scope !== null,
    invalid_claim_token: isClaimable || (takesClaimToken && hasId),
    resource_not_found: hasId || operation.failures.includes(404),
    method_not_allowed: method === "GET" && statuses.includes(405),
    idempotency_in_progress: repeatable,
    precondition_failed: isGuarded(operation, all) || ranges,
    payload_too_large: statuses.includes(413),
    range_not_satisfiable: ranges,
    idempotency_key_reused: repeatable,
    rate_limited: statuses.includes(429),
    internal_error: true,
    service_unavailable: true,
  };
  return errorCodes.filter((code) => errors.includes(code) || general[code]);
}

function hasRequired(schema: Operation["body"]): boolean {
  return Object.values(schema?.shape ?? {}).some((field) => !field.safeParse(undefined).success);
}

/** The codes that only some operations return. Any operation may return one of the others. */
export function rareCodes(operations: readonly Operation[]): ErrorCode[] {
  return errorCodes.filter((code) => operations.some(({ errors }) => errors.includes(code)));
}

/** The page with a section for each code, as Markdown. */
export function errorsPage(operations: readonly Operation[]): string {
  const rare = rareCodes(operations);
  const declared = operations.map((one) => [one, codesOf(one, operations)] as const);
  const sections = errorCodes.map((code) => {
    const { meaning, remedy } = errorTexts[code];
    const users = declared.filter(([, codes]) => rare.includes(code) && codes.includes(code));
    const links = users.map(([one]) => {
      const status = statusIn(one, code);
      return operationLink(one) + (status === statusOf(code) ? "" : ` (${status})`);
    });
    const from = users.length > 0 ? `\n**From**: ${links.join(", ")}.\n` : "";
    return `## \`${code}\`

**${statusOf(code)}**. ${meaning}

**What to do**: ${remedy}
${from}`;
  });
  return `# Errors

Every error has the same shape. Branch on \`code\`: codes are stable, messages are not. \`doc_url\` leads
to a section of this page. Quote the \`request_id\` when you report a problem.

\`\`\`json
{
  "error": {
    "type": "invalid_request_error",
    "code": "missing_required_param",
    "message": "\\"name\\" is required.",
    "param": "name",
    "doc_url": "http://localhost:3000/docs/errors#missing_required_param",
    "request_id": "req_8DmPgTxHtZyt2XaDxVbv87FcY"
  }
}
\`\`\`

Retry 429 and 503 after \`Retry-After\` seconds, and a 500 with the same \`Idempotency-Key\`. Other errors
need another request. [Conventions](/docs/api.md#errors) says more.

${sections.join("\n")}`;
}
