// The floor in front of the engine, which knows one client: several connections hear the same, and one of them is heard. Pure:
// its owner performs the effects in their order, and gives the engine what passes.
import type { ErrorCode } from "../../../protocol/errors.ts";
import type { ClientInput } from "../engine/voice-input.ts";
import { FLOOR_GRACE_MS, FLOOR_HOLD_MS } from "../limits.ts";
import { fullCredit, spendAudio, spendFrame } from "./connection-credit.ts";
import type { FloorConnection, FloorState } from "./floor-state.ts";

type ConnectionInput = { readonly id: number } & (
  | {
      readonly type: "joined";
      readonly actor: string;
      readonly turns: "server" | "manual";
      readonly ends_ms: number;
      /** Connections that there may be. */
      readonly most: number;
    }
  | { readonly type: "left" }
  /** `is_speech`: somebody speaks in it, as far as that can be told without its provider. */
  | { readonly type: "audio"; readonly ms: number; readonly is_speech: boolean }
  | { readonly type: "commit" | "clear"; readonly ref?: string }
  /** Any other frame, which every connection may send. */
  | { readonly type: "frame" }
);

/** `now` never goes back. */
export type FloorInput = { readonly now: number } & (ConnectionInput | { readonly type: "tick" });

export type FloorEffect =
  /** An input of the engine, before the one that it belongs to. */
  | {
      readonly type: "engine";
      readonly input: Extract<
        ClientInput,
        { type: "client_opened" | "client_closed" | "speaker_changed" | "clear" }
      >;
    }
  | {
      readonly type: "close" | "refuse";
      readonly id: number;
      readonly code: ErrorCode;
      readonly detail: string;
      readonly ref?: string;
    };

export interface FloorStep {
  readonly state: FloorState;
  readonly effects: readonly FloorEffect[];
  /** The engine gets the input. Audio that it does not get may be a part of what is heard soon. */
  readonly passes: boolean;
}

interface Draft {
  readonly now: number;
  readonly isTurnOpen: boolean;
  state: FloorState;
  readonly effects: FloorEffect[];
}

/** @param isTurnOpen Whether the engine has a turn of a user that is not answered yet. */
export function advanceFloor(state: FloorState, input: FloorInput, isTurnOpen: boolean): FloorStep {
  const draft: Draft = { now: input.now, isTurnOpen, state, effects: [] };
  const passes = take(draft, input);
  return { state: draft.state, effects: draft.effects, passes };
}

function take(draft: Draft, input: FloorInput): boolean {
  if (input.type === "tick") return endOverdue(draft);
  if (input.type === "joined") return join(draft, input);
  const connection = draft.state.connections.find(({ id }) => id === input.id);
  if (!connection) return false;
  switch (input.type) {
    case "left":
      leave(draft, connection);
      return false;
    case "audio":
      return takeAudio(draft, connection, input);
    case "commit":
    case "clear":
      return spend(draft, connection) && endTurn(draft, connection.id, input);
    case "frame":
      return spend(draft, connection);
    default:
      return input satisfies never;
  }
}

function endOverdue(draft: Draft): boolean {
  for (const connection of draft.state.connections) {
    if (draft.now >= connection.ends_ms) close(draft, connection, "connection_expired", EXPIRED);
  }
  return true;
}

/** A connection too many takes the place of the oldest of its actor, or else of all. */
function join(
  draft: Draft,
  { id, actor, turns, ends_ms, most }: Extract<FloorInput, { type: "joined" }>,
): boolean {
  const { connections } = draft.state;
  const surplus = Math.max(0, connections.length + 1 - most);
  const own = connections.filter((each) => each.actor === actor);
  const others = connections.filter((each) => each.actor !== actor);
  for (const replaced of [...own, ...others].slice(0, surplus)) {
    close(draft, replaced, "voice_connected", REPLACED);
  }
  const isFirst = draft.state.connections.length === 0;
  const connection: FloorConnection = {
    id,
    actor,
    turns,
    ends_ms,
    ...fullCredit(draft.now),
    spoke_ms: Number.NEGATIVE_INFINITY,
    is_uncommitted: false,
    is_refused: false,
  };
  const holder = isFirst ? id : draft.state.holder;
  draft.state = { connections: [...draft.state.connections, connection], holder };
  if (isFirst) tell(draft, { type: "client_opened", turns, from: id });
  return false;
}

function close(draft: Draft, connection: FloorConnection, code: ErrorCode, detail: string): void {
  draft.effects.push({ type: "close", id: connection.id, code, detail });
  leave(draft, connection);
}

/** A turn in the middle of which its speaker went is forgotten. One who is alone has the floor. */
function leave(draft: Draft, { id }: FloorConnection): void {
  const { holder } = draft.state;
  const connections = draft.state.connections.filter((each) => each.id !== id);
  const [first] = connections;
  draft.state = { connections, holder: holder === id ? null : holder };
  if (!first) return tell(draft, { type: "client_closed" });
  if (holder === id) tell(draft, { type: "clear" });
  if (connections.length === 1 && draft.state.holder !== first.id) giveFloor(draft, first);
}

function takeAudio(
  draft: Draft,
  connection: FloorConnection,
  { ms, is_speech }: Extract<FloorInput, { type: "audio" }>,
): boolean {
  const { now } = draft;
  const isSpeech = is_speech || connection.turns === "manual";
  const spent = change(draft, connection.id, spendAudio(connection, ms, now));
  if (!spent || spent.audio_credit_ms < 0) {
    if (spent) close(draft, spent, "too_much_audio", TOO_MUCH_AUDIO);
    return false;
  }
  if (!isSpeech) {
    change(draft, connection.id, { is_refused: false });
    return draft.state.holder === connection.id;
  }
  if (draft.state.holder !== connection.id && !seize(draft, spent)) return false;
  change(draft, connection.id, { spoke_ms: now, is_uncommitted: connection.turns === "manual" });
  return true;
}

/** Speech that began while the floor was taken is not heard to its end. */
function seize(draft: Draft, connection: FloorConnection): boolean {
  if (connection.is_refused) return false;
  if (isTaken(draft)) {
    change(draft, connection.id, { is_refused: true });
    refuse(draft, connection.id);
    return false;
  }
  giveFloor(draft, connection);
  return true;
}

function isTaken({ state, now, isTurnOpen }: Draft): boolean {
  const holder = state.connections.find(({ id }) => id === state.holder);
  if (!holder) return false;
  const quietMs = now - holder.spoke_ms;
  return (
    isTurnOpen || quietMs < FLOOR_GRACE_MS || (holder.is_uncommitted && quietMs < FLOOR_HOLD_MS)
  );
}

function giveFloor(draft: Draft, { id, turns }: FloorConnection): void {
  const { holder, connections } = draft.state;
  const before = connections.find((each) => each.id === holder);
  if (before?.is_uncommitted) {
    tell(draft, { type: "clear" });
    change(draft, before.id, { is_uncommitted: false });
  }
  draft.state = { ...draft.state, holder: id };
  tell(draft, { type: "speaker_changed", turns, from: id });
}

/** The end of a turn that was not heard is said to its client, which waits for an answer. */
function endTurn(
  draft: Draft,
  id: number,
  { type, ref }: Extract<FloorInput, { type: "commit" | "clear" }>,
): boolean {
  const isHeard = draft.state.holder === id;
  if (!isHeard && type === "commit") refuse(draft, id, ref);
  // Said, and not guessed: nobody waits for more.
  const spoke_ms = Number.NEGATIVE_INFINITY;
  change(draft, id, { spoke_ms, is_uncommitted: false, is_refused: false });
  return isHeard;
}

function spend(draft: Draft, connection: FloorConnection): boolean {
  const spent = change(draft, connection.id, spendFrame(connection, draft.now));
  if (!spent || spent.frame_credit >= 0) return true;
  close(draft, spent, "rate_limited", TOO_MANY_FRAMES);
  return false;
}

function change(
  draft: Draft,
  id: number,
  members: Partial<FloorConnection>,
): FloorConnection | undefined {
  const connections = draft.state.connections.map((each) =>
    each.id === id ? { ...each, ...members } : each,
  );
  draft.state = { ...draft.state, connections };
  return connections.find((each) => each.id === id);
}

function refuse(draft: Draft, id: number, ref?: string): void {
  const said = ref === undefined ? {} : { ref };
  draft.effects.push({ type: "refuse", id, code: "floor_taken", detail: TAKEN, ...said });
}

function tell(draft: Draft, input: Extract<FloorEffect, { type: "engine" }>["input"]): void {
  draft.effects.push({ type: "engine", input });
}

const EXPIRED = "a voice connection of this agent lasts no longer; go on with a new one";
const REPLACED = "a newer connection of this session has taken its place";
const TOO_MUCH_AUDIO = "audio came much faster than it can have been spoken";
const TOO_MANY_FRAMES = "too many frames came within a short time";
const TAKEN = "another connection of the session speaks: this is not heard";
