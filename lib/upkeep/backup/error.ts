/** The message is for the operator: what is wrong with the file or the database, and what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
