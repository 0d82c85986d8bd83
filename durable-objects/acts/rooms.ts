// Acts of a room on the sessions of its participants, which no request can ask for.
import { CONTEXT_ABILITY, CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import { ROOM_FOLD, teamEvent } from "../../agent/rooms/room-fold.ts";
import { ABILITY_STATE } from "../../protocol/ability-state.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import type {
  ReadRoomEvents,
  RoomDelivery,
  RoomEvents,
  StartedRoomTurn,
  StartRoomTurn,
} from "../api/participant-api.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";
import type { Actor } from "../api/session-api.ts";
import { startedDepth } from "../replies/started-depth.ts";
import { importState } from "../sessions/import-state.ts";
import { observeMessages } from "../sessions/observe.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { readRoomEvents } from "../sessions/read-room-events.ts";
import { withoutSummary } from "../tables/redact-messages.ts";
import { once } from "../tables/once.ts";
import { act } from "./act.ts";

const NO_ROOM = refuse("conflict", "this session is in no room");

async function startTurn(
  session: OpenSession,
  { turn_id, messages, team, end_user_id, share, structured_schema }: StartRoomTurn,
  { trace }: { readonly trace?: TraceContext },
): Promise<Result<StartedRoomTurn>> {
  if (!session.init.room) return NO_ROOM;
  if (isTurnOver(session, turn_id)) return refuse("conflict", "the room has ended this turn");
  const { tables, queue, runner } = session;
  const turn = { key: `room_turn:${turn_id}`, fingerprint: turn_id };
  return once<StartedRoomTurn, StartedRoomTurn>(tables.idempotency, turn, {
    act: async (recordResult) => {
      session.settings.setEndUser(end_user_id);
      const told = teamEvent(tables.abilities.read(ROOM_FOLD), team);
      if (told && !session.openReply) session.log.append([told], { isLast: true });
      // The end of a background task that waits for the room goes with the turn.
      const task = tables.background.nextDue();
      const woken = task && (tables.background.kept(task.id) as InputMessage | null);
      const input = woken ? [woken, ...messages] : messages;
      const a2a_depth = task ? startedDepth(session, task.reply_id) : undefined;
      const given = { structured_schema, share, trace, a2a_depth };
      const start = { input, on_busy: "reject", ...given } as const;
      const started = await queue.start(start, (reply_id) => {
        if (task) tables.background.woken(task.id, reply_id);
        session.settings.beginRoomTurn({ turn_id, reply_id });
        session.spoken.beginsTurn(reply_id);
        recordResult({ reply_id });
      });
      if (!started.ok) return started;
      // The turn was ended while it was being admitted.
      if (isTurnOver(session, turn_id)) await runner.interrupt();
      return accept({ reply_id: started.value.id });
    },
    replay: async (kept) => accept(kept),
  });
}

/** Whether the open reply is of another turn. @param turnId Or the reply's id, of a turn that nobody knows. */
function isOther({ openReply, settings }: OpenSession, turnId: string): boolean {
  const turn = settings.init.room?.turns?.find(({ reply_id }) => reply_id === openReply?.id);
  return turn !== undefined && turn.turn_id !== turnId && turn.reply_id !== turnId;
}

function isTurnOver({ settings }: OpenSession, turnId: string): boolean {
  return settings.init.room?.ended_turns?.includes(turnId) ?? false;
}

export const ROOM_ACTS = {
  /** Resolves when the reply has begun. The same turn again is the same reply. */
  startRoomTurn: act<StartRoomTurn, StartedRoomTurn>({ run: startTurn }),

  /** Resolves when the end of its reply is durable. Nothing begins for it any more. */
  endRoomTurn: act<{ readonly turn_id: string }, null>({
    run: async (session, { turn_id }) => {
      const { settings, tables, runner, queue } = session;
      const drop = (): void => {
        settings.endRoomTurn(turn_id);
        tables.queue.interruptAll();
      };
      // Another turn's reply goes on: this one was ended in between.
      if (isOther(session, turn_id)) session.transaction(() => settings.endRoomTurn(turn_id));
      else if (session.openReply) await runner.interrupt([], drop);
      else session.transaction(drop);
      await queue.beginQueued();
      await session.sync();
      return accept(null);
    },
  }),

  readRoomEvents: act<ReadRoomEvents, RoomEvents>({ run: readRoomEvents }),

  /** Messages of others, without a turn. The same ones again are no second ones. */
  deliverFromRoom: act<RoomDelivery, null>({
    run: async (session, { messages }, { trace }) => {
      const observed = await observeMessages(session, messages, () => undefined, trace);
      return observed.ok ? accept(null) : observed;
    },
  }),

  /** Words that somebody said are taken out of the session. */
  redactFromRoom: act<{ readonly messages: readonly Msg[] }, null>({
    run: async (session, { messages }) => {
      const { tables, log, transaction, sync } = session;
      transaction(() => tables.redact(messages));
      log.forgetRecent();
      const before = tables.abilities.read(CONTEXT_FOLD);
      const state = withoutSummary({ ...before });
      if (!isSameJson(state, before)) {
        const value = { ability: CONTEXT_ABILITY, state };
        log.append([{ type: "CUSTOM", name: ABILITY_STATE, value }], { isLast: true });
      }
      await Promise.all([log.settled(), sync()]);
      return accept(null);
    },
  }),

  /** Into a session without messages; the same state again changes nothing. */
  importFromRoom: act<{ readonly state: AgentStateInput; readonly actor: Actor }, null>({
    run: async (session, { state, actor }) => {
      const imported = await importState(session, state, actor);
      return imported.ok ? accept(null) : imported;
    },
  }),
} as const;

/** Acts of requests that a participant's session refuses: its room alone begins replies there, and changes it. */
const REFUSED_IN_ROOM: ReadonlySet<string> = new Set([
  "startReply",
  "startRun",
  "observe",
  "tell",
  "importState",
  "replaceState",
  "restore",
  "update",
]);

/** Null for an act that a participant's session takes. */
export function refuseInRoom({ init }: OpenSession, name: string): Result<never> | null {
  if (!init.room || !REFUSED_IN_ROOM.has(name)) return null;
  const { room_id, participant } = init.room;
  const detail = `the session is that of the participant ${participant} of ${room_id}; ask the room`;
  return refuse("session_in_room", detail, { extensions: { room_id, participant } });
}
