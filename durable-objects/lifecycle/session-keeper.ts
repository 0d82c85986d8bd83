// Whether the object holds a session, and the session once it is open. It is opened by the first call: what the last
// incarnation has left is taken up before anything is read or written. What is stored may be unreadable; that is a state
// of its own, in which the session can still be erased.
import { refuse, type Refusal } from "../../protocol/errors.ts";
import { isStorageDown } from "../../storage/statements/database-failure.ts";
import { assembleSession } from "../session/assemble-session.ts";
import { closeSession } from "../session/close-session.ts";
import type { OpenSession } from "../session/open-session.ts";
import { wakeSession } from "../session/wake-session.ts";
import { hasSchema, migrate } from "../tables/schema.ts";
import type { SessionInit } from "../api/session-api.ts";
import { readSessionInit } from "../tables/session-tables.ts";

type Refused = { ok: false; refusal: Refusal };

export const NOT_FOUND: Refused = refuse("not_found", "there is no such session");
const UNREADABLE: Refused = refuse(
  "session_unreadable",
  "what is stored of this session cannot be read; it can be deleted, and its events and messages are shown where they can be read",
);

/** An unreadable one may have remains, which can be read and not changed. */
type Holding =
  | { readonly type: "nothing" }
  | { readonly type: "session"; readonly session: OpenSession }
  | { readonly type: "unreadable"; readonly remains: OpenSession | null };

const NOTHING: Holding = { type: "nothing" };

export class SessionKeeper {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  #holding: Holding | null = null;
  /** Set while the session is being opened. */
  #opening: Promise<void> | null = null;
  /** The session that is being opened. */
  #waking: OpenSession | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
  }

  /** Null while it is not open yet, too. */
  get session(): OpenSession | null {
    return this.#holding?.type === "session" ? this.#holding.session : null;
  }

  /** What is stored here is no session that this version can open. */
  get isUnreadable(): boolean {
    return this.#holding?.type === "unreadable";
  }

  /**
   * Opens the session if there is one. A caller that then creates one checks again: another call may have been first. A
   * session that could not be read is tried again each time: the storage may have failed for a moment only.
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

  /** What `act` answers; a refusal when there is no session that could be changed. */
  async act<Answer>(
    act: (session: OpenSession) => Answer | Promise<Answer>,
  ): Promise<Answer | Refused> {
    const session = this.session ?? (await this.open());
    if (session) return act(session);
    return this.isUnreadable ? UNREADABLE : NOT_FOUND;
  }

  /** As {@link act}, for what changes nothing and needs none of the session's settings. */
  async read<Answer>(
    read: (session: OpenSession) => Answer | Promise<Answer>,
  ): Promise<Answer | Refused> {
    await this.open();
    const holding = this.#holding;
    if (holding?.type === "unreadable" && holding.remains) return read(holding.remains);
    return this.act(read);
  }

  /** A session that was made here is open from now on. */
  hold(session: OpenSession): void {
    this.#holding = { type: "session", session };
  }

  /**
   * What is there to be erased, as it is, whether it could be opened or not: nothing of it is folded, so that nothing
   * of it keeps it from being erased. Null when nothing is known of it.
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

  /** Lets go of the session, which writes nothing more. The caller erases the storage. */
  release(): void {
    const remains = this.#holding?.type === "unreadable" ? this.#holding.remains : null;
    for (const open of [this.session, this.#waking, remains]) if (open) closeSession(open);
    this.#holding = NOTHING;
  }

  async #open(): Promise<void> {
    const { sql } = this.#ctx.storage;
    const before = this.#holding;
    // An object that was never created has no tables, and asking for it must not make any.
    const opened = hasSchema(sql) ? await this.#openStored() : NOTHING;
    // It may have been erased meanwhile, and another session created since.
    if (this.#holding === before) this.#holding = opened;
  }

  async #openStored(): Promise<Holding> {
    const { storage } = this.#ctx;
    try {
      migrate(storage);
      const init = readSessionInit(storage.sql);
      if (!init) return NOTHING;
      if (init !== "unreadable") return { type: "session", session: await this.#wake(init) };
      const remains = await this.#wake(standInInit(this.#ctx.id.name ?? ""), true);
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
    return session;
  }
}

/** As much of a session as its object's name says; see `sessionObjectName`. */
function standInInit(name: string): SessionInit {
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
