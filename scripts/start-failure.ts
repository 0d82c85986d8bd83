/** An expected failure of the start: printed as one line, without a stack. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

/** Prints the error that ended a script; with a stack only if it is unexpected. */
export function reportFailure(error: unknown): void {
  if (error instanceof StartFailure) console.error(error.message);
  else console.error(error);
}
