/** An expected reason why a start cannot go on: shown as its one line, without a stack. */
export class StartFailure extends Error {
  override readonly name = "StartFailure";
}

/** Prints what ended a script. Only a bug shows its stack. */
export function reportFailure(error: unknown): void {
  if (error instanceof StartFailure) console.error(error.message);
  else console.error(error);
}
