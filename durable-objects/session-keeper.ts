// Whether the object holds a session, and the session once it is open. It is opened for the first who asks: what the
// last incarnation has left is taken up before anybody reads or writes.
import { refuse, type Refusal } from "../protocol/errors.ts";
import { OpenSession } from "./open-session.ts";
import { hasSchema, migrate } from "./schema.ts";
import { readSessionInit } from "./session-tables.ts";

type Refused = { ok: false; refusal: Refusal };

export const NOT_FOUND: Refused = refuse("not_found", "there is no such session");

export class SessionKeeper {
  readonly #ctx: DurableObjectState;
  readonly #env: Env;
  #session: OpenSession | null = null;
  #opening: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    this.#ctx = ctx;
    this.#env = env;
  }

  /** Null while it is not open yet, too. */
  get session(): OpenSession | null {
    return this.#session;
  }

  /** Opens the session if there is one. Who then makes one looks again: somebody else may have been first. */
  async open(): Promise<OpenSession | null> {
    if (!this.#session) await (this.#opening ??= this.#open());
    return this.#session;
  }

  /** What `act` answers; a refusal when there is no session. */
  async act<Answer>(
    act: (session: OpenSession) => Answer | Promise<Answer>,
  ): Promise<Answer | Refused> {
    const session = this.#session ?? (await this.open());
    return session ? act(session) : NOT_FOUND;
  }

  /** A session that was made here is open from now on. */
  hold(session: OpenSession): void {
    this.#session = session;
  }

  /** Lets go of the session, which writes nothing more. The caller erases the storage. */
  release(): void {
    this.#session?.close();
    this.#session = null;
    this.#opening = Promise.resolve();
  }

  async #open(): Promise<void> {
    const { storage } = this.#ctx;
    // An object that was never created has no tables, and asking for it must not make any.
    if (!hasSchema(storage.sql)) return;
    migrate(storage);
    const init = readSessionInit(storage.sql);
    if (init) this.#session = new OpenSession(this.#ctx, this.#env, init);
  }
}
