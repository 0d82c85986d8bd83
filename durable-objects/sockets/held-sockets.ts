// Needs of every socket beside its frames: the tenant's object knows that the object has sockets, since it
// wakes it for nothing else when a key is revoked, and an alarm rings when a credential expires.
import { refuse } from "../../protocol/errors.ts";
import { refusalResponse } from "../api/stream-request.ts";
import type { SocketLease } from "../tenants/socket-lease.ts";
import { closeExpiredSockets, type SocketHolder } from "./close-sockets.ts";
import { openSockets } from "./socket-attachment.ts";

/** The object whose sockets they are, open: a session's or a room's. */
export interface SocketOwner {
  readonly lease: Pick<SocketLease, "hold" | "release">;
  /** Sets the alarm for the next expiry; null for none. */
  readonly arm: (dueMs: number | null) => void;
  readonly isClosed: () => boolean;
}

export class HeldSockets {
  readonly #holder: SocketHolder;
  /** Sockets that are being opened: the tenant's object has to know of them before they are there. */
  #opening = 0;

  constructor(holder: SocketHolder) {
    this.#holder = holder;
  }

  /** @param open Accepts a socket with its credential in the attachment, or refuses. */
  async open(owner: SocketOwner, open: () => Promise<Response>): Promise<Response> {
    this.#opening += 1;
    try {
      const held = await owner.lease.hold();
      if (!held.ok) return refusalResponse(held.refusal);
      // The session may have been deleted meanwhile, when it held nothing yet.
      if (owner.isClosed()) {
        await owner.lease.release();
        return refusalResponse(GONE.refusal);
      }
      return await open();
    } finally {
      this.#opening -= 1;
      await this.settle(owner);
    }
  }

  /** Behind each socket that was opened or has closed, and for the alarm: closes those whose credential has expired. */
  async settle(owner: SocketOwner): Promise<void> {
    if (owner.isClosed()) return;
    owner.arm(closeExpiredSockets(this.#holder, Date.now()));
    if (this.#opening > 0 || openSockets(this.#holder).length > 0) return;
    await owner.lease.release();
  }
}

const GONE = refuse("not_found", "it was deleted");
