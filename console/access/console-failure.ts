import type { ConsoleRefusal, Problem } from "../../sdk/index.ts";

/** The platform's refusal of a sign-in or of an exchange. */
export class ConsoleFailure extends Error {
  override readonly name = "ConsoleFailure";
  readonly status: number;
  readonly detail: string;
  readonly reason: ConsoleRefusal | "tenant_suspended" | null;

  constructor(status: number, problem: Problem | null) {
    const detail = problem?.detail ?? `the platform answered with ${status}`;
    super(detail);
    this.status = status;
    this.detail = detail;
    const { reason } = (problem ?? {}) as { readonly reason?: ConsoleRefusal };
    this.reason = problem?.code === "tenant_suspended" ? "tenant_suspended" : (reason ?? null);
  }

  /** Whether the session is over, and not only out of reach. */
  get isFinal(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
