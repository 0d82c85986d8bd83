// Asks one hook one question, and says what its answer means as events for one append.
import { HOOK_POINT_RULES, type HookAnswer } from "../../protocol/hooks/contract.ts";
import type { EventDraft } from "../../protocol/events.ts";
import {
  HOOK_ANSWERED,
  REQUEST_STOP,
  stopRequestOf,
  type HookAnsweredValue,
  type HookChange,
  type RequestStopValue,
} from "../../protocol/hooks/events.ts";
import { TOOL_CALL_EDITED } from "../../protocol/fold/append-custom.ts";
import { untrustedHint } from "../../protocol/told/told-hint.ts";
import { readEventsOfHook } from "../../protocol/told/answered-events.ts";
import { toldDraft } from "../../protocol/told/told-event.ts";
import type { NewId, StopSignal } from "../ports.ts";
import { blockEvents } from "../answers/block-events.ts";
import { pieceCharacters, type OutputPiece } from "../answers/external-output.ts";
import { newBlocks, pieceOf } from "./changed-blocks.ts";
import type { HookQuestion } from "./hook-question.ts";
import type { HookRunner, RegisteredHook } from "./hook-runner.ts";
import { readChange } from "./read-change.ts";

export interface HookScope {
  readonly runner: HookRunner;
  readonly session_id: string;
  /** Null beside a reply. */
  readonly reply_id: string | null;
  readonly end_user_id: string | null;
  readonly newId: NewId;
  readonly stop: StopSignal;
  /** UTF-16 units that the reply's log and message may still take; without bound when left out. */
  readonly room?: () => number;
  /** Blocks that the reply's message may still take; without bound when left out. */
  readonly roomForBlocks?: () => number;
}

export interface AnsweredHook {
  readonly value: HookAnsweredValue;
  /** New blocks of the message, `hook_answered`, and what follows from it. */
  readonly events: readonly EventDraft[];
}

/** The text in place of what a hook holds back without saying what to show instead. */
const HELD_BACK = "This was held back.";

/** The id of a question: the same after a crash. It has no dot, which separates it from the time in the signed text. */
export function questionId(
  { definition, origin }: RegisteredHook,
  { point, step }: { readonly point: string; readonly step: string | null },
  { session_id, reply_id }: Pick<HookScope, "session_id" | "reply_id">,
): string {
  const parts = [reply_id ?? session_id, point, ...(step === null ? [] : [encode(step)])];
  return [...parts, origin, definition.name].join(":");
}

function encode(step: string): string {
  return step.replace(/[^A-Za-z0-9_-]/g, (unit) => `%${unit.charCodeAt(0).toString(16)}`);
}

/** Null when the reply was stopped meanwhile: nothing may be appended then. */
export async function askHook(
  registered: RegisteredHook,
  question: HookQuestion,
  scope: HookScope,
): Promise<AnsweredHook | null> {
  const { session_id, reply_id, end_user_id, runner, stop } = scope;
  const { definition: hook } = registered;
  const { point, input, output } = question;
  const id = questionId(registered, question, scope);
  const ids = { id, hook, point, session_id, reply_id, end_user_id };
  const response = await runner.ask({ ...ids, input, ...(output && { output }) }, stop);
  if (stop.aborted) return null;
  const read = response.ok
    ? valueOf(response.answer, id, registered, question, scope)
    : failed(id, registered, question, response.kind);
  const isTooLarge = response.ok && !hasRoom(read, response.answer, scope);
  const value = isTooLarge ? failed(id, registered, question, "too_large") : read;
  const answer = response.ok && value.outcome !== "failed" ? response.answer : null;
  const room = (scope.room?.() ?? Infinity) - answerCharacters(value, answer);
  const { told, note } = toldBy(answer, hook.name, { reply_id, room });
  const named: HookAnsweredValue = {
    ...(reply_id !== null && { reply_id }),
    ...value,
    ...(note !== null && { events_omitted: note }),
  };
  return {
    value: named,
    events: [...newBlockEvents(named, answer), ...eventsOf(named, answer?.hint, scope), ...told],
  };
}

/** Events that the hook tells readers of the session, as far as there is room for them. */
function toldBy(
  answer: HookAnswer | null,
  name: string,
  { reply_id, room }: { readonly reply_id: string | null; readonly room: number },
): { readonly told: readonly EventDraft[]; readonly note: string | null } {
  if (answer?.events === undefined) return { told: [], note: null };
  const { events, note } = readEventsOfHook(answer.events);
  let left = room;
  const fitting = events.filter((event) => (left -= JSON.stringify(event).length) >= 0);
  const teller = { kind: "hook", name } as const;
  return {
    told: fitting.map((event) => toldDraft(event, teller, reply_id ?? undefined)),
    note: fitting.length < events.length ? (note ?? "the reply has no room for more") : note,
  };
}

function hasRoom(
  value: HookAnsweredValue,
  answer: HookAnswer | null,
  { room, roomForBlocks }: HookScope,
): boolean {
  const added = value.change?.added?.length ?? 0;
  if (added > (roomForBlocks?.() ?? Infinity)) return false;
  return answerCharacters(value, answer) <= (room?.() ?? Infinity);
}

/** UTF-16 units that the answer adds to the message and to the log, without what it tells. */
function answerCharacters(
  { change, text = "" }: HookAnsweredValue,
  answer: HookAnswer | null,
): number {
  const changed = change ? JSON.stringify(change).length : 0;
  const pieces = change?.added ? newPieces(answer) : [];
  const said = pieces.reduce((sum, piece) => sum + pieceCharacters(piece), 0);
  return changed + said + text.length + hintCharacters(answer?.hint);
}

function hintCharacters(hint: HookAnswer["hint"]): number {
  if (hint === undefined) return 0;
  return typeof hint === "string" ? hint.length : JSON.stringify(hint.blocks).length;
}

function newPieces(answer: HookAnswer | null): readonly OutputPiece[] {
  return newBlocks(answer?.output ?? {}).flatMap((block) => pieceOf(block) ?? []);
}

/** New blocks, at the end of the message; `hook_answered` behind them puts them in their places. */
function newBlockEvents(
  { change, reply_id }: HookAnsweredValue,
  answer: HookAnswer | null,
): readonly EventDraft[] {
  if (!change?.added || reply_id === undefined) return [];
  const pieces = newPieces(answer);
  return change.added.flatMap(({ id }, index) => {
    const piece = pieces[index];
    return piece ? blockEvents(piece, { reply_id, block_id: id }) : [];
  });
}

function failed(
  id: string,
  { definition }: RegisteredHook,
  { point, step }: HookQuestion,
  kind: string,
): HookAnsweredValue {
  const { name, on_failure } = definition;
  const failure = { kind, on_failure };
  const held = on_failure === "closed" && point === "pre_print";
  const change = held ? { change: { text: HELD_BACK } } : {};
  return { id, hook: name, point, step, outcome: "failed", failure, ...change };
}

function valueOf(
  answer: HookAnswer | null,
  id: string,
  registered: RegisteredHook,
  question: HookQuestion,
  { newId }: Pick<HookScope, "newId">,
): HookAnsweredValue {
  const { point, step } = question;
  const head = { id, hook: registered.definition.name, point, step };
  if (!answer) return { ...head, outcome: "unchanged" };
  const { actions, takesHint } = HOOK_POINT_RULES[point];
  const invalid = () => failed(id, registered, question, "invalid_answer");
  const { action, reason, text } = answer;
  if (!actions.includes(action) || (answer.hint !== undefined && !takesHint)) return invalid();
  const change = readChange(answer, question, newId);
  if (change === "invalid") return invalid();
  const said = { ...(reason !== undefined && { reason }), ...(text !== undefined && { text }) };
  switch (action) {
    case "block":
      return { ...head, outcome: "blocked", ...said, ...heldBack(answer, question) };
    case "stop": {
      const held = point === "pre_print" && !change ? heldBack(answer, question) : {};
      return { ...head, outcome: "stopped", ...said, ...(change && { change }), ...held };
    }
    case "ask":
      return { ...head, outcome: "asked", asks: true, ...said, ...(change && { change }) };
    case "continue": {
      if (!change)
        return { ...head, outcome: "unchanged", ...(reason !== undefined && { reason }) };
      const asks = question.isAsked ? { asks: true as const } : {};
      return { ...head, outcome: "changed", ...said, change, ...asks };
    }
    default:
      return action satisfies never;
  }
}

/** The change that shows something else in place of what a hook holds back, at the points that show anything. */
function heldBack(
  { text, reason }: HookAnswer,
  { point }: HookQuestion,
): { readonly change?: HookChange } {
  if (point === "pre_print") return { change: { text: text ?? HELD_BACK } };
  if (point === "post_acting") return { change: { text: text ?? reason ?? HELD_BACK } };
  return {};
}

function eventsOf(
  value: HookAnsweredValue,
  hint: HookAnswer["hint"],
  { reply_id, newId }: HookScope,
): readonly EventDraft[] {
  const reply = reply_id === null ? {} : { reply_id };
  const events: EventDraft[] = [
    { type: "CUSTOM", name: HOOK_ANSWERED, ...reply, value: { ...value } },
  ];
  if (reply_id === null) return events;
  const { change, step, outcome, point } = value;
  if (change?.tool_input !== undefined && step !== null && outcome !== "blocked") {
    const edit = { reply_id, tool_call_id: step, input: change.tool_input };
    events.push({ type: "CUSTOM", name: TOOL_CALL_EDITED, reply_id, value: edit });
  }
  if (typeof hint === "string") {
    const block = { reply_id, block_id: newId("blk"), source: `hook:${value.hook}` };
    events.push({ type: "HINT_BLOCK", ...block, hint });
  } else if (hint !== undefined) {
    const given = { hint: [...hint.blocks], source: hint.source };
    const teller = { kind: "hook", name: value.hook } as const;
    events.push(untrustedHint(given, teller, { reply_id, block_id: newId("blk") }));
  }
  if (outcome === "stopped") {
    const reason = value.reason ?? `The hook ${value.hook} has stopped the reply.`;
    const stop: RequestStopValue = { reply_id, reason, generateReason: stopRequestOf(point) };
    events.push({ type: "CUSTOM", name: REQUEST_STOP, reply_id, value: { ...stop } });
  }
  return events;
}
