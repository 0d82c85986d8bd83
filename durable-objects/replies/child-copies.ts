// Copies what called agents tell into this session's log. A called session is asked for what is new behind a place that its
// row keeps; what it says and the place behind it are one commit, so that each event is copied once, whenever a machine dies.
// Nothing of it needs the reply to run.
import {
  handOn,
  type CalledAgent,
  type Copied,
  type OpenQuestions,
} from "../../agent/agents/hand-on.ts";
import { MAX_REPLY_SUBAGENT_BYTES } from "../../protocol/agents/limits.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import { AGENT_ANSWER_MS } from "../../protocol/tools/limits.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { CalledApi, CalledEvents } from "../api/called-session-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { Child } from "../tables/child-table.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { ActiveReply } from "./active-reply.ts";
import { calledStub } from "./called-stub.ts";

interface CopyingSession {
  readonly openReply: ActiveReply | null;
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly settings: SessionSettings;
  readonly transaction: <Value>(write: () => Value) => Value;
}

/** The state of the called agent's reply behind what was copied; null where its session does not say it. */
type CopiedTo = ReplyStatus | null;

/** A part of the error with which an object of the release before answers an act that it does not know. */
const UNKNOWN_ACT = "answersUnreadable";

export class ChildCopies {
  readonly #session: CopyingSession;
  readonly #env: Env;
  /** By the ids of calls, copying that is under way, one at a time for each. */
  readonly #copying = new Map<string, Promise<CopiedTo>>();
  /** Of those the ones of which something was said meanwhile. */
  readonly #noted = new Set<string>();
  /** Bytes that agents have added for a reply; counted anew after a restart. */
  #added: { readonly replyId: string; bytes: number } | null = null;

  constructor(session: CopyingSession, env: Env) {
    this.#session = session;
    this.#env = env;
  }

  /** The session of a called agent, looked up anew each time. */
  stubOf({ session_id }: Pick<Child, "session_id">): CalledApi {
    const { tenant_id } = this.#session.settings.init;
    return calledStub(this.#env, { tenant_id, session_id });
  }

  /** Lets the session of a called agent refer to files of this one, which an answer to it names. @throws when D1 fails. */
  async shareFiles({ session_id: to }: Pick<Child, "session_id">, ids: readonly string[]) {
    if (ids.length === 0) return;
    const { tenant_id, session_id: from } = this.#session.settings.init;
    const { files } = tenantStorage(this.#env.DB, tenant_id);
    await files.shareReferences(from, to, [...new Set(ids)]);
  }

  /** Copies what an agent says it has to tell. Contract: never rejects; what cannot be copied now is with the next look. */
  async note(callId: string): Promise<CopiedTo> {
    try {
      return await this.copy(callId);
    } catch (error) {
      console.warn("events of a called agent could not be copied; will retry", {
        error: String(error),
      });
      return null;
    }
  }

  /**
   * Copies all that is on disk in the called session as this begins. @throws when it cannot be reached: what is left is
   * copied later.
   */
  copy(callId: string): Promise<CopiedTo> {
    const before = this.#copying.get(callId);
    if (before) this.#noted.add(callId);
    const copying = before ?? Promise.resolve().then(() => this.#copy(callId));
    this.#copying.set(callId, copying);
    return copying;
  }

  async #copy(callId: string): Promise<CopiedTo> {
    try {
      for (;;) {
        const child = this.#find(callId);
        if (!child) return null;
        this.#noted.delete(callId);
        const copied = this.#session.tables.calls.children.copied(callId);
        const read = await this.#read(child, copied);
        if (!read || !this.#find(callId)) return null;
        this.#write(child, read, copied);
        if (!read.has_more && !this.#noted.has(callId)) return read.status;
      }
    } finally {
      // Nothing is between this and the last look at what was noted.
      this.#copying.delete(callId);
      this.#noted.delete(callId);
    }
  }

  async #read(child: Child, { seq: after, results }: Copied): Promise<CalledEvents | null> {
    const { message_id } = child;
    try {
      const asked = this.stubOf(child).act("readCalledEvents", { message_id, after, results });
      const read = await withinDeadline(asked, AGENT_ANSWER_MS);
      return read.ok ? read.value : null;
    } catch (error) {
      // Code of before this act, which goes on for some minutes beside this, says so in these words.
      if (String(error).includes(UNKNOWN_ACT)) return null;
      throw error;
    }
  }

  #write(
    child: Child,
    { events, agent_name, cursor, results }: CalledEvents,
    before: Copied,
  ): void {
    const { log, tables, transaction } = this.#session;
    const { children } = tables.calls;
    const { reply_id, tool_call_id } = child;
    const placed = { ...before, seq: cursor, results };
    const { drafts, copied } = handOn(events, this.#callOf(child, agent_name), placed, {
      open: this.#open(tool_call_id),
      room: this.#roomOf(reply_id),
    });
    const place = (): void => children.setCopied(tool_call_id, copied);
    if (drafts.length === 0) {
      if (cursor > before.seq) transaction(place);
      return;
    }
    log.append(drafts, {
      write: (logged) => {
        for (const event of logged) children.questions.record(event);
        place();
      },
    });
    const added = copied.bytes + copied.below - before.bytes - before.below;
    if (this.#added?.replyId === reply_id) this.#added.bytes += added;
  }

  #open(callId: string): OpenQuestions {
    return this.#session.tables.calls.children.questions.open(callId);
  }

  #callOf(
    { reply_id, tool_call_id, session_id, agent_id }: Child,
    agent_name: string,
  ): CalledAgent {
    const { session_id: parent_session_id } = this.#session.settings.init;
    return { reply_id, tool_call_id, session_id, agent_id, agent_name, parent_session_id };
  }

  #roomOf(replyId: string): number {
    if (this.#added?.replyId !== replyId) {
      const bytes = this.#session.tables.calls.children.copiedBytes(replyId);
      this.#added = { replyId, bytes };
    }
    return MAX_REPLY_SUBAGENT_BYTES - this.#added.bytes;
  }

  /** The agent's row while it works for a call that waits; behind the call's end nothing is copied. */
  #find(callId: string): Child | null {
    const { log, openReply, tables } = this.#session;
    if (log.isClosed || log.hasFailed) return null;
    const child = tables.calls.children.find(callId);
    if (child?.phase !== "working") return null;
    return openReply?.id === child.reply_id && !openReply.isOver ? child : null;
  }
}
