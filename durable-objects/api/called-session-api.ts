// The acts by which a calling session and the sessions of the agents that it calls speak with each other. Types only; the
// acts are in `acts/called-sessions.ts`.
import type { SubagentAnswer } from "../../agent/agents/subagent-answer.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { Result } from "../../protocol/errors.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { SessionApi } from "./session-api.ts";

export interface StartCalled {
  /** With an id: what is repeated finds the reply that it began. */
  readonly message: InputMessage;
  /** Binds the end user for whom the caller works; left out for all others. */
  readonly share?: EndUserShareChange;
}

/** Of the session of a called agent, for its caller. */
export interface CalledApi extends Pick<SessionApi, "create" | "listed" | "remove"> {
  act(
    name: "startCalled",
    payload: StartCalled,
    options: { readonly trace?: TraceContext },
  ): Promise<Result<null>>;
  /** Of the reply that began with this message. */
  act(
    name: "readCalled",
    payload: { readonly message_id: string },
  ): Promise<Result<SubagentAnswer>>;
  /** The call has ended: what runs is interrupted, and nothing begins for it any more. */
  act(name: "stopCalled"): Promise<Result<null>>;
}

/** Of the calling session, for those that it has called. */
export interface CallerApi {
  /** Something has changed there: the caller looks. */
  act(name: "noteCalled", payload: { readonly tool_call_id: string }): Promise<Result<null>>;
}
