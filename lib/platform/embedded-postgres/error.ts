/** The embedded database cannot run. The message says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}
