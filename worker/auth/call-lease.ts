// The lease of a request that asks servers of its tenant beside the tenant's replies: a tool called alone or by hand, a page, a
// catalogue, the check of an agent. It counts as a running reply, ends with the tenant's suspension, and has room for what
// the servers answer.
import type { LeaseRequest } from "../../durable-objects/api/tenant-api.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { NoRoom, withRoom } from "../../outgoing/with-room.ts";
import type { Refusal } from "../../protocol/errors.ts";
import {
  ANSWER_SENDING_MS,
  LEASE_RENEWAL_MS,
  LEASE_WAIT_MS,
} from "../../protocol/quotas/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { inBackground } from "../in-background.ts";
import { tenantOf } from "../principal.ts";
import { tenantStub } from "../objects/tenant-stub.ts";
import { untilSent, type SendingAnswer } from "./until-sent.ts";

interface LeaseSettings<Value> {
  /** `running` where models are asked, too. */
  readonly use?: Extract<LeaseRequest["use"], "call" | "running">;
  /** Tokens that it has used; none when left out. */
  readonly tokensOf?: (value: Value) => number;
}

export class CallLease {
  readonly #context: AppContext;
  readonly #id = `call_${crypto.randomUUID()}`;
  readonly #stopping = new AbortController();
  /** Bytes that its answers may have, of which large ones take room. */
  #bytes = 0;
  #refusal: Refusal | null = null;
  /** The answer to the client, if it was made of a large one: it is in memory until its client has read it. */
  #answer: SendingAnswer | null = null;

  constructor(context: AppContext) {
    this.#context = context;
  }

  /** Aborted when the tenant is suspended or closed. */
  get stop(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Requests whose answers have room together with those of the tenant's other calls. @param maxBytes Of one answer. */
  throttle(outgoing: OutgoingFetch, maxBytes: number): OutgoingFetch {
    let taken: Promise<void> | null = null;
    return withRoom(outgoing, () => (taken ??= this.#take(maxBytes)));
  }

  /**
   * The answer to the client, made while the lease is held. One that was made of a large answer keeps the lease, and its
   * room, until the client has read it, for {@link ANSWER_SENDING_MS} at most.
   */
  answer(response: Response): Response {
    const { body, status, headers } = response;
    if (this.#bytes === 0 || !body) return response;
    this.#answer = untilSent({ body, status, headers }, ANSWER_SENDING_MS);
    return this.#answer.response;
  }

  /**
   * Holds the lease while `run` works, also when the client has left meanwhile.
   * @throws HttpError when the tenant has no room for one more or is stopped, also meanwhile; 503 when it cannot be asked.
   *   Nothing was sent in the first and the last case.
   */
  async hold<Value>(
    run: () => Promise<Value>,
    { use = "call", tokensOf }: LeaseSettings<Value> = {},
  ): Promise<Value> {
    await this.#begin(use);
    const renewal = setInterval(() => void this.#renew(), LEASE_RENEWAL_MS);
    const work = run();
    const settled = work
      .then(
        (value) => tokensOf?.(value) ?? 0,
        () => 0,
      )
      .then(async (tokens) => {
        await this.#answer?.sent;
        clearInterval(renewal);
        return this.#settle(tokens);
      });
    inBackground("giving back the lease of a call", settled);
    try {
      const value = await work;
      if (this.#refusal) throw stopped(this.#refusal);
      return value;
    } catch (error) {
      this.#answer?.drop();
      this.#answer = null;
      throw this.#refusal ? stopped(this.#refusal) : error;
    } finally {
      // A next request finds what was used counted. A lease that cannot be given back expires by itself.
      if (!this.#answer) await settled.catch(() => undefined);
    }
  }

  /** @throws {NoRoom} */
  async #take(more: number): Promise<void> {
    const bytes = this.#bytes + more;
    this.#bytes = bytes;
    const leased = await this.#tenant.lease({ session_id: this.#id, use: "call", bytes });
    if (leased.ok) return;
    this.#bytes -= more;
    throw new NoRoom(leased.refusal.detail);
  }

  async #begin(use: LeaseRequest["use"]): Promise<void> {
    const asked = this.#tenant.lease({ session_id: this.#id, use });
    const leased = await withinDeadline(asked, LEASE_WAIT_MS).catch((error: unknown) => {
      console.warn("a lease for a call could not be had", { error: String(error) });
      return null;
    });
    if (!leased) {
      const detail = "the tenant's object cannot be reached, so nothing was sent; try again";
      throw new HttpError("unavailable", detail);
    }
    unwrap(leased);
  }

  /** Contract: never rejects. One that fails is made again half a minute later, before the lease expires. */
  async #renew(): Promise<void> {
    try {
      const bytes = this.#bytes;
      const request = { session_id: this.#id, use: "call", bytes, is_holding: true } as const;
      const leased = await this.#tenant.lease(request);
      if (leased.ok || leased.refusal.code === "quota_exceeded") return;
      this.#refusal = leased.refusal;
      this.#stopping.abort();
    } catch (error) {
      console.warn("the lease of a call could not be renewed", { error: String(error) });
    }
  }

  async #settle(tokens: number): Promise<void> {
    const replies = tokens > 0 ? [{ reply_id: this.#id, tokens }] : [];
    await this.#tenant.settle({ session_id: this.#id, replies, is_running: false });
  }

  get #tenant() {
    return tenantStub(this.#context.env, tenantOf(this.#context));
  }
}

/** Servers were asked before the tenant was stopped. */
function stopped({ code }: Refusal): HttpError {
  const detail =
    "the operator has stopped this tenant while servers were being asked: what was asked of them may have been done";
  return new HttpError(code, detail);
}
