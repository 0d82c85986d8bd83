// The acts as a caller sees them: types that follow from the table.
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { Actor, Idempotency, Once } from "../api/session-api.ts";
import type { Act, ActorAct } from "./act.ts";
import type { SESSION_ACTS } from "./session-acts.ts";

type SessionActs = typeof SESSION_ACTS;

export type ActName = keyof SessionActs;

/** What goes with an act beside its payload. */
export interface ActOptions {
  readonly actor?: Actor;
  readonly trace?: TraceContext;
  /** For an act that keeps keys; any other one ignores it. */
  readonly idempotency?: Idempotency;
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

/** Behind the name: the payload, which some acts can do without, and the options, which some acts need. */
export type ActArguments<Name extends ActName> =
  ActOptions extends OptionsOf<Name>
    ? undefined extends ActPayload<Name>
      ? [payload?: ActPayload<Name>, options?: OptionsOf<Name>]
      : [payload: ActPayload<Name>, options?: OptionsOf<Name>]
    : [payload: ActPayload<Name>, options: OptionsOf<Name>];

export interface ActsApi {
  /**
   * Does one act of the table on the session, in one call. A refusal is an answer; asked again with an idempotency key
   * it was given before, the answer says so.
   */
  act<Name extends ActName>(name: Name, ...rest: ActArguments<Name>): Promise<Once<ActValue<Name>>>;
}
