import type { A2aFailure } from "../../protocol/a2a/errors.ts";

/** An error of A2A, which each binding writes in its form. */
export class A2aError extends Error {
  override readonly name = "A2aError";
  readonly failure: A2aFailure;

  constructor(failure: A2aFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** One error for a task that never was, is another agent's or tenant's, or is not this caller's. */
export function taskNotFound(): A2aError {
  return new A2aError({
    name: "task_not_found",
    message: "there is no such task, or it is not this caller's",
  });
}

/** @param field The path of the value in the request, such as `message.contextId`. */
export function invalidField(field: string, description: string): A2aError {
  return new A2aError({
    name: "invalid_params",
    message: `${field}: ${description}`,
    violations: [{ field, description }],
  });
}

/** @param cause The machine's name of the reason. */
export function unsupported(message: string, cause?: string): A2aError {
  const metadata = cause === undefined ? undefined : { cause };
  return new A2aError({ name: "unsupported_operation", message, ...(metadata && { metadata }) });
}
