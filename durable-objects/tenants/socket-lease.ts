// The session's part of its lease for WebSockets, which has no end and is not renewed: a session with sockets may sleep.
import { LEASE_WAIT_MS } from "../../protocol/quotas/limits.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { Lease, TenantApi } from "../api/tenant-api.ts";

interface SocketLeases {
  /** Asks for the lease; null when the tenant's object does not answer. */
  readonly ask: () => Promise<Result<Lease> | null>;
  /** Gives it back. */
  readonly end: () => Promise<void>;
}

export class SocketLease {
  readonly #leases: SocketLeases;
  /** Whether it was given in the life of this object; one from before is still there, and is asked for again. */
  #isHeld = false;
  /** Grows when the tenant's object ends it. */
  #generation = 0;
  /** The last word that there are no sockets: nothing overtakes it. */
  #releasing: Promise<void> = Promise.resolve();

  constructor(leases: SocketLeases) {
    this.#leases = leases;
  }

  /**
   * Before a socket is opened. @returns a refusal `tenant_suspended`, or `unavailable` when the tenant's object does not
   * answer: a socket that it does not know of would outlive its key.
   */
  async hold(): Promise<Result<null>> {
    await this.#releasing;
    if (this.#isHeld) return accept(null);
    const generation = this.#generation;
    const lease = await this.#leases.ask();
    if (lease && !lease.ok) return lease;
    if (!lease?.value.keeps_sockets) return UNKNOWN;
    // Ended meanwhile.
    if (generation !== this.#generation) return this.hold();
    this.#isHeld = true;
    return accept(null);
  }

  /** The last socket has closed. Contract: never rejects; what is not given back wakes the session in vain. */
  release(): Promise<void> {
    this.#isHeld = false;
    this.#releasing = this.#release();
    return this.#releasing;
  }

  /** The tenant's object has ended it. */
  forget(): void {
    this.#isHeld = false;
    this.#generation += 1;
  }

  async #release(): Promise<void> {
    try {
      await withinDeadline(this.#leases.end(), LEASE_WAIT_MS);
    } catch (error) {
      console.warn("the tenant's object was not told that a session has no sockets", {
        error: String(error),
      });
    }
  }
}

/**
 * Gives back the lease of an object that cannot be read. Contract: never rejects.
 * @param name The object's, of `sessionObjectName` or `roomObjectName`.
 */
export function releaseSocketsOf(
  env: { readonly TENANT: { readonly getByName: (name: string) => unknown } },
  name: string,
): Promise<void> {
  const [tenantId = "", id = ""] = name.split(":");
  const tenant = () => env.TENANT.getByName(tenantId) as TenantApi;
  const end = () => tenant().endSockets(id);
  return new SocketLease({ ask: () => Promise.resolve(null), end }).release();
}

const UNKNOWN = refuse(
  "unavailable",
  "the tenant's object cannot be told of a WebSocket for some time now; try again",
);
