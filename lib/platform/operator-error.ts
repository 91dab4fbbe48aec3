/** The message is for the operator: what is wrong, such as a setting, and what to do about it. */
export class OperatorError extends Error {
  override readonly name = "OperatorError";
}
