/** The message is for the operator: what is wrong with the database, and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
