// The Durable Object with the index of one tenant's sessions, beside the tenant's own, which every reply asks for its lease.
// Nobody tells it anything: a search reads from D1 what has changed since the last one, so a tenant that never searches has
// no index, and no reply waits for one. D1 and the sessions are the truth; the index can be erased at any time.
import { DurableObject } from "cloudflare:workers";

import { accept, refuse, type Result } from "../../protocol/errors.ts";
import {
  INDEXED_AT_ONCE,
  OPENING_MS,
  OPENINGS_AT_ONCE,
  SEARCH_WAIT_MS,
} from "../../protocol/search/limits.ts";
import { phrasesOf } from "../../protocol/search/search-query.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { withinDeadline } from "../../runtime/within-deadline.ts";
import {
  BEFORE_NEWEST,
  beginSearchIndex,
  endSearchWork,
  readSearchWork,
  type SearchWork,
} from "../../storage/search/search-work.ts";
import type { ActsApi } from "../acts/acts-api.ts";
import type { Found, SearchApi, SearchRequest } from "../api/search-api.ts";
import { sessionObjectName } from "../api/session-api.ts";
import { SearchTables } from "./search-tables.ts";

/** After a step: there is more to do, there is nothing, or nothing that can be done now; or the search is off. */
type Step = "more" | "done" | "stuck" | "off";

/** Bytes of an empty database with the index's tables, as D1 counts it before it is told. */
const EMPTY_INDEX_BYTES = 4_096;

export class SearchObject extends DurableObject<Env> implements SearchApi {
  readonly #tables: SearchTables;
  readonly #tenantId: string;
  /** The last of the works that follow each other. */
  #last: Promise<unknown> = Promise.resolve();
  #catchingUp: Promise<boolean> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#tenantId = ctx.id.name ?? "";
    this.#tables = new SearchTables(ctx.storage);
  }

  async find({ search, ...request }: SearchRequest): Promise<Result<Found>> {
    const phrases = phrasesOf(search);
    if (!phrases) return accept({ sessions: [], hasMore: false, isComplete: true });
    // In this call, so that what D1 has had before it is found.
    const step = await this.#inTurn(() => this.#step(true));
    if (step === "off") return refuseOff();
    const isComplete = step === "more" ? await this.#catchUpSoon() : step === "done";
    // Turned off meanwhile.
    if (!this.#tables.progress) return refuseOff();
    return accept({ ...this.#tables.find(phrases, request), isComplete });
  }

  async forget(sessionId: string): Promise<void> {
    await this.#inTurn(async () => {
      this.#tables.remove(sessionId);
      await this.ctx.storage.sync();
    });
  }

  async followSetting(): Promise<void> {
    await this.#inTurn(() => this.#step(false));
  }

  async erase(): Promise<void> {
    await this.#inTurn(() => this.#tables.erase());
  }

  /**
   * One after another: what a work has read from D1 is in the index before the next one begins, so that no session comes
   * back that was erased meanwhile.
   */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** @returns whether the index is complete, within {@link SEARCH_WAIT_MS}; it goes on behind the answer. */
  async #catchUpSoon(): Promise<boolean> {
    this.#catchingUp ??= this.#catchUp().finally(() => (this.#catchingUp = null));
    this.ctx.waitUntil(this.#catchingUp);
    return Promise.race([this.#catchingUp, scheduler.wait(SEARCH_WAIT_MS).then(() => false)]);
  }

  /** @returns whether the index is complete. Contract: never rejects; the next search goes on. */
  async #catchUp(): Promise<boolean> {
    try {
      for (;;) {
        const step = await this.#inTurn(() => this.#step(false));
        if (step !== "more") return step === "done";
        await timeSlice();
      }
    } catch (error) {
      const logged = { tenant_id: this.#tenantId, error: String(error) };
      console.warn("search: the index could not be brought up to date", logged);
      return false;
    }
  }

  /**
   * A bounded part of the work, in turn. What it has read is on disk before D1 forgets that it was to be read.
   * @param isSearch Begins an index where the tenant has none. @throws when D1 fails.
   */
  async #step(isSearch: boolean): Promise<Step> {
    const { progress } = this.#tables;
    const before = progress?.before ?? null;
    const request = { tenantId: this.#tenantId, before, most: INDEXED_AT_ONCE };
    const work = await readSearchWork(this.env.DB, request);
    if (!work && isSearch) {
      await beginSearchIndex(this.env.DB, this.#tenantId, EMPTY_INDEX_BYTES);
      // None for a tenant that was closed meanwhile.
      return this.#step(false);
    }
    if (!work?.enabled) {
      await this.#tables.erase();
      if (work) await this.#report(work);
      return "off";
    }
    if (progress?.made !== work.made) {
      if (progress) await this.#tables.erase();
      this.#tables.begin(work.made, BEFORE_NEWEST);
      return "more";
    }
    if (await this.#index(work, before !== null)) return "more";
    return this.#readOpenings(work);
  }

  /** @returns whether there may be more. */
  async #index(work: SearchWork, isOlderLeft: boolean): Promise<boolean> {
    const { changed, older } = work;
    if (changed.length === 0 && !isOlderLeft) return false;
    const last = older.length < INDEXED_AT_ONCE ? null : (older.at(-1) ?? null);
    const before = last && { created_at: last.created_at, id: last.session_id };
    // A session of both is the same in both: they were read in one transaction.
    this.#tables.put([...older, ...changed], isOlderLeft ? before : undefined);
    await this.ctx.storage.sync();
    await this.#report(work);
    return before !== null || changed.length === INDEXED_AT_ONCE;
  }

  async #report({ made, changed }: SearchWork): Promise<void> {
    const { bytes } = this.#tables;
    await endSearchWork(this.env.DB, { tenantId: this.#tenantId, made, bytes, changed });
  }

  /** Lists know the first words of a session; the session itself knows the whole message. */
  async #readOpenings(work: SearchWork): Promise<Step> {
    const ids = this.#tables.unread(OPENINGS_AT_ONCE);
    if (ids.length === 0) return "done";
    const openings = new Map(
      await Promise.all(ids.map(async (id) => [id, await this.#readOpening(id)] as const)),
    );
    this.#tables.putOpenings(openings);
    await this.#report({ ...work, changed: [] });
    return [...openings.values()].every((opening) => opening === undefined) ? "stuck" : "more";
  }

  /** Null where the session has no first message; undefined where it does not say. Contract: never rejects. */
  async #readOpening(sessionId: string): Promise<string | null | undefined> {
    try {
      const name = sessionObjectName(this.#tenantId, sessionId);
      const session = this.env.SESSION.getByName(name) as unknown as ActsApi;
      const read = await withinDeadline(session.act("readOpening"), OPENING_MS);
      return read.ok ? read.value : null;
    } catch (error) {
      const logged = { session_id: sessionId, error: String(error) };
      console.warn("search: a session could not say its first message", logged);
      return undefined;
    }
  }
}

function refuseOff(): Result<never> {
  return refuse(
    "search_off",
    'this tenant has turned the search over its sessions off; PATCH /v1/session-search {"enabled": true} turns it on',
  );
}
