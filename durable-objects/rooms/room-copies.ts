// Copies what participants' sessions say into the room's log. A session is asked for what is new behind a place that the
// member's row keeps; what it says and the place behind it are one commit, so that each event is copied once, whenever a machine
// dies.
import type { Refusal } from "../../protocol/errors.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { untrustedSourceOf } from "../../protocol/messages/untrusted-content.ts";
import { PARTICIPANT, ROOM_TURN_WANTED, roomEvent, TURN_ID } from "../../protocol/rooms/events.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import type { RoomEvents } from "../api/participant-api.ts";
import { ROOM_POLL_MS } from "./limits.ts";
import type { OpenRoom } from "./open-room.ts";
import { participantStub } from "./participant-stub.ts";
import { roomEntry } from "./room-entry.ts";
import type { KnownMember } from "./room-table.ts";

export class RoomCopies {
  readonly #room: OpenRoom;
  /** By name, copying that is under way: one at a time for each. */
  readonly #copying = new Map<string, Promise<boolean>>();

  constructor(room: OpenRoom) {
    this.#room = room;
  }

  /** Copies in the background until no reply runs there. */
  follow(name: string): void {
    if (this.#copying.has(name)) return;
    const copying = this.#follow(name).finally(() => this.#copying.delete(name));
    this.#copying.set(name, copying);
    this.#room.inBackground(
      copying.then((isNew) => {
        if (isNew) this.#room.kick();
      }),
    );
  }

  /** Copies once what is on disk there. @returns whether a reply runs there, or more is left. @throws when the session cannot be reached. */
  async copy(name: string): Promise<boolean> {
    const read = await this.#read(name, 0);
    return read !== null && (read.has_more || isAtWork(read.status));
  }

  /** Contract: never rejects. @returns whether something was written. */
  async #follow(name: string): Promise<boolean> {
    let isNew = false;
    try {
      for (;;) {
        const read = await this.#read(name, ROOM_POLL_MS);
        if (!read) return isNew;
        if (read.isNew) {
          isNew = true;
          this.#room.kick();
        }
        if (!read.has_more && !isAtWork(read.status)) return isNew;
      }
    } catch (error) {
      console.warn("a participant's events could not be copied; will retry", {
        error: String(error),
      });
      return isNew;
    }
  }

  async #read(name: string, wait_ms: number) {
    const { env, init, table, log } = this.#room;
    const before = table.member(name);
    if (!before?.session_id || log.isClosed) return null;
    const stub = participantStub(env, init.tenant_id, before.session_id);
    const asked = stub.act("readRoomEvents", { after: before.copied_seq, wait_ms });
    const answer = await withinDeadline(asked, wait_ms + AGENT_ANSWER_MS);
    if (!answer.ok) return this.#lose(name, answer.refusal);
    const member = table.member(name);
    const { has_more, reply, cursor } = answer.value;
    const status = reply?.status ?? null;
    if (log.isClosed || log.hasFailed) return null;
    // Another look was faster: what it wrote is not written twice.
    if (!member || member.session_id !== before.session_id) return null;
    this.#noteWake(name, answer.value.is_woken);
    const isStale = member.copied_seq !== before.copied_seq;
    if (isStale) return { isNew: false, has_more: true, status };
    const isNew = cursor > before.copied_seq && this.#write(member, answer.value);
    return { isNew, has_more, status };
  }

  /** Ends the replies of a session that is not there any more: nobody else does. @throws for any other refusal. */
  #lose(name: string, { code, detail }: Refusal): null {
    const { log, state } = this.#room;
    if (code !== "not_found" || log.isClosed) throw new Error(detail);
    const error = {
      type: "internal",
      message: "The session of the participant was deleted.",
    } as const;
    const lost = state.replies.filter(({ participant }) => participant === name);
    const drafts = lost.map(({ session_id, reply_id }): EventDraft => {
      const metadata = { [PARTICIPANT]: name };
      return { type: "REPLY_END", session_id, reply_id, finished_reason: "error", error, metadata };
    });
    if (drafts.length === 0) return null;
    log.append(drafts, {
      isLast: true,
      write: (logged) => {
        for (const event of logged) this.#keep(name, event);
      },
    });
    this.#room.kick();
    return null;
  }

  /** A background task has ended in a session: its agent has something to say, though nobody has spoken to it. */
  #noteWake(name: string, isWoken: boolean): void {
    const { log, state } = this.#room;
    const isThere = state.members.some((member) => member.name === name);
    const hasTurn = state.discussion?.turns.some(({ participant }) => participant === name);
    if (!isWoken || !isThere || hasTurn || state.woken.includes(name)) return;
    log.append([roomEvent(ROOM_TURN_WANTED, { participant: name }, name)], { isLast: true });
    this.#room.kick();
  }

  #write(member: KnownMember, { events, cursor, reply, untrusted, turns }: RoomEvents): boolean {
    const { log, table, transaction } = this.#room;
    const { name } = member;
    if (events.length === 0) {
      transaction(() => table.setCopied(name, cursor));
      return false;
    }
    const drafts = events.map((event) => {
      const isOfReply = "reply_id" in event && event.reply_id === reply?.id;
      return roomEntry(event, name, { turns, untrusted: isOfReply ? untrusted : null });
    });
    log.append(drafts, {
      isLast: !isAtWork(reply?.status ?? null),
      write: (logged) => {
        table.setCopied(name, cursor);
        for (const event of logged) this.#keep(name, event);
      },
    });
    return true;
  }

  /** Part of the commit: where a reply begins, and its message once it has ended. */
  #keep(name: string, event: LoggedEvent): void {
    const { table, messages, replies } = this.#room;
    if (event.type === "REPLY_START") {
      table.setReplySeq(name, event.seq);
      const turn = event.metadata[TURN_ID];
      if (typeof turn === "string") table.setTurn(event.reply_id, turn);
    }
    if (event.type !== "REPLY_END") return;
    table.setReplySeq(name, null);
    const said = replies.take(event.reply_id);
    if (!said) return;
    const untrusted = untrustedSourceOf(event.metadata);
    const message = untrusted
      ? { ...said, metadata: { ...said.metadata, untrusted: { ...untrusted } } }
      : said;
    const { seq: position, reply_id } = event;
    messages.put({ position, reply_id, message, cursor: position });
  }
}

function isAtWork(status: ReplyStatus | null): boolean {
  return status === "running";
}
