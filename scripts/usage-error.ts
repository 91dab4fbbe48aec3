/** Arguments that a command cannot accept. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Throws `UsageError` unless there are this many arguments. */
export function assertCount(given: readonly string[], min: number, max: number): void {
  const extra = given[max];
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  if (given.length < min) throw new UsageError("An argument is missing.");
}
