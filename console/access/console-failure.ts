import type { ConsoleRefusal, Problem } from "../../sdk/index.ts";

/** The platform's refusal of a sign-in or of an exchange. */
export class ConsoleFailure extends Error {
  override readonly name = "ConsoleFailure";
  readonly status: number;
  readonly detail: string;
  readonly reason: ConsoleRefusal | "tenant_suspended" | null;
  /** To whose sign-in page the person goes back; null where the platform does not know. */
  readonly tenantId: string | null;

  constructor(status: number, problem: Problem | null) {
    const detail = problem?.detail ?? `the platform answered with ${status}`;
    super(detail);
    this.status = status;
    this.detail = detail;
    const { reason, tenant_id = null } = (problem ?? {}) as {
      readonly reason?: ConsoleRefusal;
      readonly tenant_id?: string | null;
    };
    this.tenantId = tenant_id;
    this.reason = problem?.code === "tenant_suspended" ? "tenant_suspended" : (reason ?? null);
  }

  /** Whether the session is over, and not only out of reach. */
  get isFinal(): boolean {
    return this.status === 401 || this.status === 403;
  }
}
