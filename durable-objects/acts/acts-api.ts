// The acts as a caller sees them: types derived from the table.
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { Actor, Idempotency, Once } from "../api/session-api.ts";
import type { Act, ActorAct } from "./act.ts";
import type { SESSION_ACTS } from "./session-acts.ts";

type SessionActs = typeof SESSION_ACTS;

export type ActName = keyof SessionActs;

/** The options of an act, beside its payload. */
export interface ActOptions {
  readonly actor?: Actor;
  readonly trace?: TraceContext;
  /** For an act that keeps keys; any other one ignores it. */
  readonly idempotency?: Idempotency;
  /** The payload is large: it is handled in a time slice, and the next ones are up to the act. */
  readonly isLarge?: boolean;
}

type Parts<Entry> =
  Entry extends Act<infer Payload, infer Value, infer _>
    ? { payload: Payload; value: Value; options: ActOptions }
    : Entry extends ActorAct<infer Payload, infer Value, infer _>
      ? {
          payload: Payload;
          value: Value;
          options: ActOptions & Required<Pick<ActOptions, "actor">>;
        }
      : never;

export type ActPayload<Name extends ActName> = Parts<SessionActs[Name]>["payload"];
export type ActValue<Name extends ActName> = Parts<SessionActs[Name]>["value"];
type OptionsOf<Name extends ActName> = Parts<SessionActs[Name]>["options"];

/** The arguments after the name: the payload, which is optional for some acts, and the options, required for some. */
export type ActArguments<Name extends ActName> =
  ActOptions extends OptionsOf<Name>
    ? undefined extends ActPayload<Name>
      ? [payload?: ActPayload<Name>, options?: OptionsOf<Name>]
      : [payload: ActPayload<Name>, options?: OptionsOf<Name>]
    : [payload: ActPayload<Name>, options: OptionsOf<Name>];

export interface ActsApi {
  /**
   * Performs one act of the table on the session. A refusal is a value; an answer that is repeated for an idempotency
   * key has `is_replayed`.
   */
  act<Name extends ActName>(name: Name, ...rest: ActArguments<Name>): Promise<Once<ActValue<Name>>>;
}

/** The acts that begin a reply. */
export type StartAct = "startReply" | "startRun";

/** The body of the request of `api/start-request.ts`. */
export interface StartRequest<Name extends StartAct = StartAct> {
  readonly act: Name;
  readonly payload: ActPayload<Name>;
  readonly options: ActOptions;
  /** The query of the stream's request, without the position and the reply. */
  readonly query: string;
}
