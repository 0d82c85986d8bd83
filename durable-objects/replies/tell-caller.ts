// Tells the caller of this session's agent that there is something new here. Nothing depends on it: a caller that is not told
// finds it with its next look.
import { isCopied } from "../../agent/agents/copied-event.ts";
import {
  CALLER_RETRY_MS,
  MAX_CALLER_RETRY_MS,
  SUBAGENT_BATCH_MS,
} from "../../protocol/agents/limits.ts";
import type { Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { CallerApi, CallerNote } from "../api/called-session-api.ts";
import type { SessionInit } from "../api/session-api.ts";
import { calledStub } from "./called-stub.ts";

type Called = Pick<SessionInit, "tenant_id" | "parent">;

/** Tells the caller that a reply of this session has ended or waits. Contract: never rejects. */
export async function tellCaller(
  env: Pick<Env, "SESSION">,
  called: Called,
  endCall: () => void,
): Promise<void> {
  await tell(env, called, endCall, (caller, call) => caller.act("noteCalled", call));
}

/** @param endCall The call is over, so that there is nobody to tell any more. @returns False when the caller could not be told. */
async function tell(
  env: Pick<Env, "SESSION">,
  { tenant_id, parent }: Called,
  endCall: () => void,
  note: (caller: CallerApi, call: { readonly tool_call_id: string }) => Promise<Result<CallerNote>>,
): Promise<boolean> {
  if (!parent || parent.is_over) return true;
  const { session_id, tool_call_id } = parent;
  try {
    const caller = calledStub(env, { tenant_id, session_id });
    const noted = await withinDeadline(note(caller, { tool_call_id }), AGENT_ANSWER_MS);
    if (noted.ok && noted.value?.is_over) endCall();
    return true;
  } catch (error) {
    console.warn("the caller of an agent was not told; it will look", {
      session_id,
      error: String(error),
    });
    return false;
  }
}

interface NewsSession {
  readonly env: Pick<Env, "SESSION">;
  readonly called: () => Called;
  /** The call for which the session was opened is over. */
  readonly endCall: () => void;
  readonly isClosed: () => boolean;
  readonly inBackground: (work: Promise<unknown>) => void;
}

/** Tells the caller of events that are on disk: at once after a pause, and else once in a while. */
export class CallerNews {
  readonly #session: NewsSession;
  /** The seq of the last event that a caller copies; 0 for none since the object was woken. */
  #newest = 0;
  #told = 0;
  #durable = 0;
  #isTelling = false;

  constructor(session: NewsSession) {
    this.#session = session;
  }

  logged(event: LoggedEvent): void {
    if (isCopied(event)) this.#newest = event.seq;
  }

  durable(seq: number): void {
    this.#durable = seq;
    if (this.#isTelling || !this.#hasNews) return;
    this.#isTelling = true;
    this.#session.inBackground(this.#tell());
  }

  get #hasNews(): boolean {
    return Math.min(this.#newest, this.#durable) > this.#told;
  }

  /** Contract: never rejects. */
  async #tell(): Promise<void> {
    const { env, called, endCall, isClosed } = this.#session;
    let retryMs = CALLER_RETRY_MS;
    while (this.#hasNews && !isClosed()) {
      const upTo = this.#durable;
      const isTold = await tell(env, called(), endCall, (caller, call) =>
        caller.act("noteCalledEvents", call),
      );
      if (isTold) this.#told = upTo;
      await scheduler.wait(isTold ? SUBAGENT_BATCH_MS : retryMs);
      // Less and less is asked of a caller that is down: it looks by itself.
      retryMs = isTold ? CALLER_RETRY_MS : Math.min(2 * retryMs, MAX_CALLER_RETRY_MS);
    }
    this.#isTelling = false;
  }
}
