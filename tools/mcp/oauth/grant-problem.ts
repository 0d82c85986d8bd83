interface GrantProblemOptions {
  readonly needsSignIn?: boolean;
  readonly cause?: unknown;
}

/** Thrown in place of a request that has no grant; the message is a sentence without its subject and its dot. */
export class GrantProblem extends Error {
  override readonly name = "GrantProblem";
  /** A person has to sign in first. */
  readonly needsSignIn: boolean;

  constructor(message: string, { needsSignIn = false, cause }: GrantProblemOptions = {}) {
    super(message, { cause });
    this.needsSignIn = needsSignIn;
  }

  /** Compares the name, because the class may be loaded twice. */
  static isInstance(value: unknown): value is GrantProblem {
    return value instanceof Error && value.name === "GrantProblem";
  }
}
