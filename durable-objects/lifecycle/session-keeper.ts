// Opens the object's session on the first call and keeps it: work that the last incarnation has left is recovered
// before anything is read or written. A session whose stored data cannot be read is in a state of its own, in which it
// can still be read in part and erased.
import { refuse, type Refusal } from "../../protocol/errors.ts";
import { isStorageDown } from "../../storage/statements/database-failure.ts";
import { assembleSession } from "../sessions/assemble-session.ts";
import { closeSession } from "../sessions/close-session.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { wakeSession } from "../sessions/wake-session.ts";
import { hasSchema, migrate } from "../tables/schema.ts";
import type { SessionInit } from "../api/session-api.ts";
import { readSessionInit } from "../tables/session-tables.ts";

type Refused = { ok: false; refusal: Refusal };

export const NOT_FOUND: Refused = refuse("not_found", "there is no such session");
const UNREADABLE: Refused = refuse(
  "session_unreadable",
  "what is stored of this session cannot be read; it can be deleted, and its events and messages are shown where they can be read",
);

/** `remains`: the readable parts of an unreadable session, which cannot be changed. */
type Holding =
  | { readonly type: "nothing" }
  | { readonly type: "session"; readonly session: OpenSession }
  | { readonly type: "unreadable"; readonly remains: OpenSession | null };

const NOTHING: Holding = { type: "nothing" };

export class SessionKeeper {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  readonly #opened: (session: OpenSession) => void;
  #holding: Holding | null = null;
  /** Set while the session is being opened. */
  #opening: Promise<void> | null = null;
  /** The session that is being opened. */
  #waking: OpenSession | null = null;

  /** @param opened Called with a stored session once it is recovered, before anything else uses it. Must not throw. */
  constructor(
    ctx: DurableObjectState,
    env: Env,
    opened: (session: OpenSession) => void = () => undefined,
  ) {
    this.#ctx = ctx;
    this.#env = env;
    this.#opened = opened;
  }

  /** Null when there is none, and while it is not open yet. */
  get session(): OpenSession | null {
    return this.#holding?.type === "session" ? this.#holding.session : null;
  }

  /** The object has stored data, and this version cannot open it as a session. */
  get isUnreadable(): boolean {
    return this.#holding?.type === "unreadable";
  }

  /**
   * Opens the session if there is one. A caller that then creates one checks again: another call may have been first.
   * Opening an unreadable session is tried again on each call: the storage may have failed for a moment only.
   * @throws when the storage fails.
   */
  async open(): Promise<OpenSession | null> {
    const isOpen =
      this.#holding && !(this.#holding.type === "unreadable" && !this.#holding.remains);
    if (!isOpen) {
      this.#opening ??= this.#open().finally(() => (this.#opening = null));
      await this.#opening;
    }
    return this.session;
  }

  /** The result of `act`; a refusal when there is no session that can be changed. */
  async act<Answer>(
    act: (session: OpenSession) => Answer | Promise<Answer>,
  ): Promise<Answer | Refused> {
    const session = this.session ?? (await this.open());
    if (session) return act(session);
    return this.isUnreadable ? UNREADABLE : NOT_FOUND;
  }

  /** As {@link act}, for reads that need none of the session's settings: also for an unreadable session. */
  async read<Answer>(
    read: (session: OpenSession) => Answer | Promise<Answer>,
  ): Promise<Answer | Refused> {
    await this.open();
    const holding = this.#holding;
    if (holding?.type === "unreadable" && holding.remains) return read(holding.remains);
    return this.act(read);
  }

  /** Keeps a session that was just created as the open one. */
  hold(session: OpenSession): void {
    this.#holding = { type: "session", session };
  }

  /**
   * The session that is to be erased, open or not. Nothing of it is folded, so that damaged data cannot prevent its
   * deletion. Null when its settings cannot be read.
   */
  peek(): OpenSession | null {
    const open = this.session ?? this.#waking;
    if (open) return open;
    try {
      const init = readSessionInit(this.#ctx.storage.sql);
      return init && init !== "unreadable" ? assembleSession(this.#ctx, this.#env, init) : null;
    } catch (error) {
      console.warn("a session that is erased cannot be read", { error: String(error) });
      return null;
    }
  }

  /** Closes the session, which then writes nothing more. The caller erases the storage. */
  release(): void {
    const remains = this.#holding?.type === "unreadable" ? this.#holding.remains : null;
    for (const open of [this.session, this.#waking, remains]) if (open) closeSession(open);
    this.#holding = NOTHING;
  }

  async #open(): Promise<void> {
    const { sql } = this.#ctx.storage;
    const before = this.#holding;
    // An object without a session has no tables, and a read must not create any.
    const opened = hasSchema(sql) ? await this.#openStored() : NOTHING;
    // The session may have been erased meanwhile, and another one created since.
    if (this.#holding === before) this.#holding = opened;
  }

  async #openStored(): Promise<Holding> {
    const { storage } = this.#ctx;
    try {
      migrate(storage);
      const init = readSessionInit(storage.sql);
      if (!init) return NOTHING;
      if (init !== "unreadable") return { type: "session", session: await this.#wake(init) };
      const remains = await this.#wake(placeholderInit(this.#ctx.id.name ?? ""), true);
      return { type: "unreadable", remains };
    } catch (error) {
      if (isStorageDown(error) || this.#waking?.log.hasFailed) throw error;
      console.error("a stored session cannot be read", { error: String(error) });
      return { type: "unreadable", remains: null };
    } finally {
      this.#waking = null;
    }
  }

  async #wake(init: SessionInit, isReadOnly = false): Promise<OpenSession> {
    const session = assembleSession(this.#ctx, this.#env, init);
    this.#waking = session;
    await wakeSession(session, { isReadOnly });
    this.#opened(session);
    return session;
  }
}

/** Settings made from the object's name alone, for a session whose settings cannot be read; see `sessionObjectName`. */
function placeholderInit(name: string): SessionInit {
  const [tenant_id = "", session_id = ""] = name.split(":");
  return {
    session_id,
    tenant_id,
    agent_id: "",
    agent_version: 0,
    agent: { name: "" } as SessionInit["agent"],
    end_user_id: null,
    metadata: {},
    created_at: "",
  };
}
