// A replay's share of its tenant's quotas: it holds a lease of its own, as a running reply, and one of a tenant runs at
// a time. Its usage is billed to the day as the replies' is.
import type { TenantQuota } from "../../agent/tenant-quota.ts";
import { NANODOLLARS } from "../../protocol/schemas/money.ts";
import type { Result } from "../../protocol/errors.ts";
import { MAX_REPLAY_MODEL_CALLS } from "../../protocol/diagnostics/limits.ts";
import type { Usage } from "../../protocol/messages/messages.ts";
import { deliverUsage } from "../../storage/outbox/usage-delivery.ts";
import type { SessionInit } from "../api/session-api.ts";
import { openTenant } from "../sessions/open-tenant.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";
import type { ReplayEnding } from "./replay-ending.ts";

interface QuotaOfReplay {
  readonly env: Pick<Env, "TENANT" | "DB">;
  readonly init: Pick<SessionInit, "tenant_id" | "session_id">;
  readonly replay_id: string;
  readonly agent_id: string;
  readonly ending: ReplayEnding;
  readonly inBackground: (work: Promise<unknown>) => void;
}

interface Used {
  readonly usage: Usage | null;
  readonly cost_usd: number | null;
  readonly model_name: string;
}

export class ReplayQuota {
  readonly #replay: QuotaOfReplay;
  readonly #tenant: SessionTenant;
  readonly #used: { readonly reply_id: string; readonly usage: Usage | null }[] = [];
  #modelCalls = 0;
  /** Tokens of the reply that runs, as last asked about. */
  #tokens = 0;

  constructor(replay: QuotaOfReplay) {
    this.#replay = replay;
    const { env, init, replay_id, ending, inBackground } = replay;
    const { tenant_id } = init;
    this.#tenant = openTenant(
      env,
      // A replay is its tenant's, whoever's session it plays.
      { tenant_id, session_id: replay_id, end_user_id: null },
      {
        stop: () =>
          ending.end({ reason: "tenant_stopped", detail: "the tenant was suspended or closed" }),
        notify: () => undefined,
        isFollowed: () => false,
        inBackground,
      },
    );
  }

  /** Before anything is read or sent. @returns a refusal `quota_exceeded`, `replay_running` or `tenant_suspended`. */
  admit(): Promise<Result<null>> {
    return this.#tenant.checkBeside(this.#counted);
  }

  /** The loop's quota of one reply, which also counts the model calls of the replay. */
  ofReply(): TenantQuota {
    const { ending } = this.#replay;
    this.#tokens = 0;
    return {
      check: async (tokens) => {
        this.#tokens = tokens;
        this.#modelCalls += 1;
        if (this.#modelCalls > MAX_REPLAY_MODEL_CALLS) {
          const detail = `a replay makes ${MAX_REPLAY_MODEL_CALLS} model calls at most`;
          ending.end({ reason: "model_calls", detail });
          return null;
        }
        return this.#tenant.check(this.#counted);
      },
      wait: () => undefined,
    };
  }

  /** The lease of a long model call must not run out. Contract: never rejects. */
  renew(): Promise<void> {
    return this.#tenant.renew(this.#counted);
  }

  /** Counts a reply that has ended, once. Contract: never rejects: a replay is not lost with its bill. */
  async bill({ usage, cost_usd, model_name }: Used): Promise<void> {
    const { env, init, agent_id } = this.#replay;
    const { reply_id } = this.#counted;
    this.#used.push({ reply_id, usage });
    this.#tokens = 0;
    const { tenant_id, session_id } = init;
    const at = new Date().toISOString();
    const cost = cost_usd === null ? null : Math.round(cost_usd * NANODOLLARS);
    const entry = { tenant_id, session_id, agent_id, reply_id, entry: 1, at, usage, cost };
    try {
      await deliverUsage(env.DB, [{ ...entry, model_name, replies: 0 }]);
    } catch (error) {
      console.error("the usage of a replay could not be stored", {
        session_id,
        error: String(error),
      });
    }
  }

  /** Gives the lease back. Contract: never rejects. */
  leave(): Promise<void> {
    return this.#tenant.leave(this.#used);
  }

  get #counted() {
    const reply_id = `${this.#replay.replay_id}_${this.#used.length + 1}`;
    return { reply_id, tokens: this.#tokens };
  }
}
