/** The embedded database cannot run; the message says in one plain sentence what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}
