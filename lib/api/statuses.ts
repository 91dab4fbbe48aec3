import { type ErrorCode, statusOf } from "@/lib/platform/errors";
import type { Operation } from "@/lib/platform/http/operation";

/** Whether the operation writes a resource with an ETag, and so honours `If-Match`. */
export function isGuarded(operation: Operation, all: readonly Operation[]): boolean {
  if (operation.failures.includes(412)) return true; // its resource is read at another path
  if (!["PUT", "PATCH", "DELETE"].includes(operation.method)) return false;
  return all.some(({ path, conditional }) => conditional && path === operation.path);
}

/** Every operation can fail with this when the database is down, so it is documented once. */
const UNAVAILABLE = 503;

/** Every other failure status: those that the declaration implies, and those it lists. */
export function failuresOf(operation: Operation, all: readonly Operation[]): number[] {
  const { auth, scope, path, subpaths, query, anyQuery, body, takesArrivals, ranges, repeatable } =
    operation;
  const implied: [boolean | undefined, number][] = [
    [query !== null || !anyQuery || body !== null || repeatable, 400],
    [auth !== "ignored", 401],
    [scope !== null || auth === "required", 403],
    [path.includes("{") && !subpaths, 404], // operations with subpaths accept anything
    [repeatable, 409],
    [isGuarded(operation, all) || ranges, 412],
    [body !== null, 413],
    [ranges, 416],
    [repeatable, 422],
    [auth !== "ignored" || takesArrivals, 429],
  ];
  const statuses = implied.filter(([applies]) => applies).map(([, status]) => status);
  const own = operation.errors.map((code) => statusIn(operation, code));
  const failures = [...statuses, ...own.filter((status) => status < 500), ...operation.failures];
  if (!failures.some((status) => status < 500)) failures.push(431); // the documents need one
  return [...new Set(failures)].sort((a, b) => a - b);
}

/** The status with which an operation answers a code. */
export function statusIn({ statuses }: Operation, code: ErrorCode): number {
  return statuses?.[code] ?? statusOf(code);
}

export function statusesOf(operation: Operation, all: readonly Operation[]): number[] {
  const { success, conditional, ranges, repeated } = operation;
  const successes: [boolean | undefined, number][] = [
    [repeated !== undefined, 200],
    [success.orCreated, 201],
    [success.orNothing, 204],
    [ranges, 206],
    [conditional || ranges, 304],
  ];
  const others = successes.filter(([applies]) => applies).map(([, status]) => status);
  const failures = new Set([...failuresOf(operation, all), UNAVAILABLE]);
  return [success.status, ...others, ...failures];
}
