/** Arguments that a command cannot accept. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
