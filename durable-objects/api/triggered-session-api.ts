// The acts by which a trigger's object and the sessions that it has opened speak with each other. Types only; the acts are in
// `acts/triggers.ts`.
import type { Result } from "../../protocol/errors.ts";
import type { ErrorInfo } from "../../protocol/messages/messages.ts";
import type { PermissionMode } from "../../protocol/messages/permission.ts";
import type { InputMessage, ReplyStatus } from "../../protocol/replies/contract.ts";
import type { SessionApi } from "./session-api.ts";

export interface StartTriggered {
  /** With an id: what is repeated finds the reply that it began. */
  readonly message: InputMessage;
  /** That of the trigger, which may be another one since the session was opened. */
  readonly mode: PermissionMode;
}

/** The reply of a run. One that waits for its turn in the session counts as running. */
export interface StartedRun {
  readonly reply_id: string;
  readonly status: ReplyStatus;
  readonly error: ErrorInfo | null;
}

export interface TriggeredApi extends Pick<SessionApi, "create" | "listed" | "remove"> {
  act(name: "startTriggered", payload: StartTriggered): Promise<Result<StartedRun>>;
  /** Of the reply that began with this message. */
  act(name: "readTriggered", payload: { readonly message_id: string }): Promise<Result<StartedRun>>;
}
