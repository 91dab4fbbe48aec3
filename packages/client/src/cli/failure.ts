/** The exit codes of every command; docs/cli.md explains them. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  forbidden: 3,
  network: 4,
  nothing: 5,
  interrupted: 130,
} as const;

/** The text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A failure with its exit code. The message is for people. */
export class CliError extends Error {
  readonly exitCode: number;
  readonly code: string;

  constructor(
    kind: keyof typeof exitCodes,
    message: string,
    { code = kind, cause }: { code?: string; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.exitCode = exitCodes[kind];
    this.code = code;
  }
}
