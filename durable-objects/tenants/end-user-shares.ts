// The shares of end users in their tenant's object: what binds the one who asks, and whether their bytes have room.
import {
  changeShare,
  type EndUserShare,
  shareOfBytes,
} from "../../protocol/quotas/end-user-share.ts";
import type { Quotas } from "../../protocol/quotas/contract.ts";
import type { Result } from "../../protocol/errors.ts";
import { LEASE_WAIT_MS } from "../../protocol/quotas/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { readEndUserUse } from "../../storage/quotas/read-end-user-use.ts";
import type { LeaseRequest } from "../api/tenant-api.ts";
import { EndUserBytes } from "./end-user-bytes.ts";
import { type BoundEndUser, refuseShare } from "./grant-lease.ts";

interface TenantOfShares {
  readonly DB: D1Database;
  readonly tenantId: string;
  readonly inBackground: (work: Promise<unknown>) => void;
}

export class EndUserShares {
  readonly #tenant: TenantOfShares;
  readonly #bytes: EndUserBytes;

  constructor(tenant: TenantOfShares) {
    this.#tenant = tenant;
    this.#bytes = new EndUserBytes({
      read: (holder) => this.#readBytes(holder),
      inBackground: tenant.inBackground,
    });
  }

  /** The share that binds the end user who asks for a lease, with the bytes they store; undefined for all others. */
  async bound(quotas: Quotas, request: LeaseRequest): Promise<BoundEndUser | undefined> {
    const { use, holder } = request;
    const share = shareOf(quotas, request);
    if (!share || holder === undefined) return undefined;
    const most = use === "start" ? shareOfBytes(share, quotas.stored_bytes) : null;
    return { share, storedBytes: await this.#bytes.stored(holder, most) };
  }

  /** @returns a refusal when the bytes that an end user is about to store have no room in the share; else null. */
  async refuseBytes(quotas: Quotas, request: LeaseRequest): Promise<Result<never> | null> {
    const { bytes = 0, holder } = request;
    const share = shareOf(quotas, request);
    const most = share ? shareOfBytes(share, quotas.stored_bytes) : null;
    if (most === null || holder === undefined) return null;
    const hasRoom = await this.#bytes.grant(holder, bytes, most);
    return hasRoom ? null : refuseShare("end_user_stored_bytes", most);
  }

  async #readBytes(holder: string): Promise<number | null> {
    const { DB, tenantId } = this.#tenant;
    try {
      const read = readEndUserUse(DB, tenantId, holder);
      return (await withinDeadline(read, LEASE_WAIT_MS)).stored_bytes;
    } catch (error) {
      const logged = { tenant_id: tenantId, error: String(error) };
      console.warn("could not read what an end user stores from D1", logged);
      return null;
    }
  }
}

function shareOf(
  { end_user_share }: Quotas,
  { share }: Pick<LeaseRequest, "share">,
): EndUserShare | undefined {
  return share && changeShare(end_user_share, share);
}
