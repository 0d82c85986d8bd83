// Why a replay ends before its last reply: the first reason counts, and stops what runs.
import type { ReplayStop } from "../../protocol/replay/contract.ts";

type Reason = Pick<ReplayStop, "reason" | "detail"> &
  Partial<Pick<ReplayStop, "reply_id" | "tool_call" | "error">>;

export class ReplayEnding {
  readonly #stop = new AbortController();
  #reason: ReplayStop | null = null;
  /** The recorded reply that is being run again; null before the first. */
  replyId: string | null = null;

  /** Aborted with the first reason, and when the client has left. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get reason(): ReplayStop | null {
    return this.#reason;
  }

  end({ reason, detail, reply_id = this.replyId, tool_call = null, error = null }: Reason): void {
    this.#reason ??= { reason, detail, reply_id, tool_call, error };
    this.#stop.abort();
  }

  /** The client has closed the stream of the answer. */
  leave(): void {
    this.#stop.abort();
  }
}
