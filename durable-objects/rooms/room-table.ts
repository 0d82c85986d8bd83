// The rows of a room: what it is, its state, and its members with the places up to which their sessions are copied.
import { EMPTY_ROOM, type RoomState } from "../../agent/rooms/room-state.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { ParticipantInput } from "../../protocol/rooms/participants.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { RoomInit } from "../api/room-api.ts";
import { roomSchema } from "./room-schema.ts";

/** The request with which somebody has spoken. */
export interface Asker {
  readonly share?: EndUserShareChange | undefined;
  readonly trace?: TraceContext | undefined;
}

export type RoomPhase = "opening" | "open" | "closing";

/** Beside the members' own place in the state: what it does not say of them. */
export interface MemberBody {
  readonly added: ParticipantInput;
  /** Pinned when its session was opened; null for a person. */
  readonly agent_version: number | null;
  readonly joined_at: string;
  readonly left_at: string | null;
}

export interface KnownMember extends MemberBody {
  readonly name: string;
  /** The order in which they came. */
  readonly number: number;
  readonly session_id: string | null;
  readonly copied_seq: number;
  readonly reply_seq: number | null;
}

interface MemberRow extends Record<string, SqlStorageValue> {
  name: string;
  number: number;
  session_id: string | null;
  copied_seq: number;
  reply_seq: number | null;
  body: string;
}

export class RoomTable {
  readonly #sql: SqlStorage;
  #init: RoomInit | null = null;
  #phase: RoomPhase = "opening";

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    if (!this.#isMade) return;
    const [row] = sql
      .exec<{ init: string; phase: RoomPhase }>("SELECT init, phase FROM room")
      .toArray();
    if (!row) return;
    this.#init = JSON.parse(row.init) as RoomInit;
    this.#phase = row.phase;
  }

  /** Null before the room is made. */
  get init(): RoomInit | null {
    return this.#init;
  }

  get phase(): RoomPhase {
    return this.#phase;
  }

  /** Part of a transaction. */
  make(init: RoomInit): void {
    this.#sql.exec(roomSchema());
    const values = [JSON.stringify(init), "opening", JSON.stringify(EMPTY_ROOM)];
    this.#sql.exec("INSERT INTO room (id, init, phase, state) VALUES (1, ?, ?, ?)", ...values);
    this.#init = init;
  }

  setPhase(phase: RoomPhase): void {
    this.#sql.exec("UPDATE room SET phase = ?", phase);
    this.#phase = phase;
  }

  rewrite(init: RoomInit): void {
    this.#sql.exec("UPDATE room SET init = ?", JSON.stringify(init));
    this.#init = init;
  }

  readState(): RoomState {
    const [row] = this.#sql.exec<{ state: string }>("SELECT state FROM room").toArray();
    return row ? (JSON.parse(row.state) as RoomState) : EMPTY_ROOM;
  }

  /** Part of the commit of the events that it is folded from. */
  writeState(state: RoomState): void {
    this.#sql.exec("UPDATE room SET state = ?", JSON.stringify(state));
  }

  /** Part of the commit of a message: turns count in the share, and are in the trace, of the one who has spoken last. */
  setAsker({ share, trace }: Asker): void {
    const text = share || trace ? JSON.stringify({ share, trace }) : null;
    this.#sql.exec("UPDATE room SET asker = ?1 WHERE asker IS NOT ?1", text);
  }

  get asker(): Asker {
    const [row] = this.#sql.exec<{ asker: string | null }>("SELECT asker FROM room").toArray();
    return row?.asker ? (JSON.parse(row.asker) as Asker) : {};
  }

  /** In the order in which they came. */
  members(): readonly KnownMember[] {
    return this.#sql
      .exec<MemberRow>("SELECT * FROM members ORDER BY number")
      .toArray()
      .map(toMember);
  }

  member(name: string): KnownMember | null {
    const [row] = this.#sql.exec<MemberRow>("SELECT * FROM members WHERE name = ?", name).toArray();
    return row ? toMember(row) : null;
  }

  ofSession(sessionId: string): KnownMember | null {
    const [row] = this.#sql
      .exec<MemberRow>("SELECT * FROM members WHERE session_id = ?", sessionId)
      .toArray();
    return row ? toMember(row) : null;
  }

  add(name: string, sessionId: string | null, body: MemberBody): void {
    this.#sql.exec(
      `INSERT INTO members (name, number, session_id, body)
       VALUES (?, (SELECT coalesce(max(number), 0) + 1 FROM members), ?, ?)`,
      name,
      sessionId,
      JSON.stringify(body),
    );
  }

  removeMember(name: string): void {
    this.#sql.exec("DELETE FROM members WHERE name = ?", name);
  }

  setBody(name: string, body: MemberBody): void {
    this.#sql.exec("UPDATE members SET body = ? WHERE name = ?", JSON.stringify(body), name);
  }

  /** The messages of the conversation; what the log has of them stays. */
  clearMessages(): void {
    this.#sql.exec("DELETE FROM parts WHERE owner IN ('message', 'outline')");
    this.#sql.exec("DELETE FROM messages");
  }

  setTokenParticipant(tokenId: string, participant: string | null): void {
    const query = "INSERT OR REPLACE INTO token_participants (token_id, participant) VALUES (?, ?)";
    this.#sql.exec(query, tokenId, participant);
  }

  tokenParticipant(tokenId: string): string | null {
    const query = "SELECT participant FROM token_participants WHERE token_id = ?";
    return (
      this.#sql.exec<{ participant: string | null }>(query, tokenId).toArray()[0]?.participant ??
      null
    );
  }

  /** Ids of the tokens that speak as one of these. */
  tokensOf(names: ReadonlySet<string>): readonly string[] {
    return this.#sql
      .exec<{ token_id: string }>(
        "SELECT token_id FROM token_participants WHERE participant IN (SELECT value FROM json_each(?))",
        JSON.stringify([...names]),
      )
      .toArray()
      .map(({ token_id }) => token_id);
  }

  setTurn(replyId: string, turnId: string): void {
    const query = "INSERT OR REPLACE INTO reply_turns (reply_id, turn_id) VALUES (?, ?)";
    this.#sql.exec(query, replyId, turnId);
  }

  /** The turn that a reply was of; null for a message of a person. */
  turnOf(replyId: string): string | null {
    const query = "SELECT turn_id FROM reply_turns WHERE reply_id = ?";
    return this.#sql.exec<{ turn_id: string }>(query, replyId).toArray()[0]?.turn_id ?? null;
  }

  addSpare(sessionId: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO spare_sessions (session_id) VALUES (?)", sessionId);
  }

  removeSpare(sessionId: string): void {
    this.#sql.exec("DELETE FROM spare_sessions WHERE session_id = ?", sessionId);
  }

  spares(): readonly string[] {
    return this.#sql
      .exec<{ session_id: string }>("SELECT session_id FROM spare_sessions")
      .toArray()
      .map(({ session_id }) => session_id);
  }

  /** Another session in place of its own, of which nothing is copied yet. */
  setSession(name: string, sessionId: string, copiedSeq: number): void {
    this.#sql.exec(
      "UPDATE members SET session_id = ?, copied_seq = ?, reply_seq = NULL WHERE name = ?",
      sessionId,
      copiedSeq,
      name,
    );
  }

  /** Part of the commit of what was copied. */
  setCopied(name: string, seq: number): void {
    this.#sql.exec("UPDATE members SET copied_seq = ? WHERE name = ?", seq, name);
  }

  setReplySeq(name: string, seq: number | null): void {
    this.#sql.exec("UPDATE members SET reply_seq = ? WHERE name = ?", seq, name);
  }

  get #isMade(): boolean {
    const query = "SELECT 1 FROM sqlite_schema WHERE name = 'room'";
    return this.#sql.exec(query).toArray().length > 0;
  }
}

function toMember({
  name,
  number,
  session_id,
  copied_seq,
  reply_seq,
  body,
}: MemberRow): KnownMember {
  const said = JSON.parse(body) as MemberBody;
  return { name, number, session_id, copied_seq, reply_seq, ...said };
}
