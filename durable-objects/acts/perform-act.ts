import type { Result } from "../../protocol/errors.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { Once } from "../api/session-api.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { once, type RecordResult } from "../tables/once.ts";
import type { ActContext } from "./act.ts";
import type { ActName, ActOptions, ActValue } from "./acts-api.ts";
import { refuseInRoom } from "./rooms.ts";
import { SESSION_ACTS } from "./session-acts.ts";

/** Any entry of the table, untyped: the types are checked where the entry is written and where the act is called. */
interface AnyAct<Value> {
  readonly run: (
    session: OpenSession,
    payload: unknown,
    context: ActContext<unknown> & Pick<ActOptions, "actor">,
  ) => Result<Value> | Promise<Result<Value>>;
  readonly replay?: (session: OpenSession, kept: unknown) => Result<Value> | Promise<Result<Value>>;
  readonly answersUnreadable?: true;
}

function actOf<Name extends ActName>(name: Name): AnyAct<ActValue<Name>> {
  return SESSION_ACTS[name] as unknown as AnyAct<ActValue<Name>>;
}

/** Whether the act is also answered for a session whose settings cannot be read. */
export function answersUnreadable(name: ActName): boolean {
  return actOf(name).answersUnreadable === true;
}

/** @param idempotency With a key the act is performed once, when it supports keys. */
export async function performAct<Name extends ActName>(
  session: OpenSession,
  name: Name,
  payload: unknown,
  { actor, trace, idempotency, isLarge = false }: ActOptions = {},
): Promise<Once<ActValue<Name>>> {
  const refused = refuseInRoom(session, name);
  if (refused && !refused.ok) return refused;
  const { run, replay } = actOf(name);
  const act = async (recordResult: RecordResult<unknown>) => {
    if (isLarge) await timeSlice();
    const context = { actor, trace, idempotency, recordResult };
    const answer = await run(session, payload, context);
    // The act's writes are on disk, and the answer is serialised.
    if (isLarge) await timeSlice();
    return answer;
  };
  if (!replay) return act(() => undefined);
  return once(session.tables.idempotency, idempotency, {
    act,
    replay: async (kept) => replay(session, kept),
  });
}
