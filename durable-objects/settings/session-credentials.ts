// Checks whether the secrets that a session has pinned are still valid: D1 is asked when a reply begins or continues,
// and not while it runs.
import { isSameJson } from "../../agent/json/is-same-json.ts";
import {
  CREDENTIAL_CONFIRMATION_WRITE_MS,
  CREDENTIAL_LOOKUP_MS,
  CREDENTIAL_STALE_MS,
} from "../../protocol/credentials/limits.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { credentialIds } from "../../storage/credentials/named-credentials.ts";
import {
  readSealedCredentials,
  type SealedCredentials,
} from "../../storage/credentials/sealed-credentials.ts";
import type { SessionInit } from "../api/session-api.ts";
import { equippedAgent } from "../../agent/tools/equipped-agent.ts";
import { readConfirmedAt, writeConfirmedAt } from "../tables/session-tables.ts";

/** The settings that hold the pinned secrets; an interface, so that the settings may import this file. */
interface PinnedSettings {
  /** The settings of the next reply. */
  readonly init: SessionInit;
  /** The settings of the open reply. */
  readonly replyInit: SessionInit;
  /** Applies the change to both, and writes what differs. */
  takeCredentials(take: (init: SessionInit) => SessionInit): void;
}

export class SessionCredentials {
  readonly #sql: SqlStorage;
  readonly #database: D1Database;
  /** Unix milliseconds of D1's last confirmation; the stored value may be a minute older. */
  #confirmedAt: number | null = null;

  constructor(sql: SqlStorage, database: D1Database) {
    this.#sql = sql;
    this.#database = database;
  }

  /**
   * Takes over what D1 has of the secrets that an agent names: new ones, other hosts, none. Contract: never rejects, and
   * never waits long. One query, and none when the agent names no credential.
   * @param agent The settings of the open reply, or of the next one. @returns Whether they may be used. While D1 does not answer: for an hour after its last confirmation.
   */
  async confirm(
    settings: PinnedSettings,
    agent: Pick<SessionInit, "agent" | "hooks" | "tools"> = settings.replyInit,
  ): Promise<boolean> {
    const ids = idsOf(agent);
    if (ids.length === 0) return true;
    try {
      // The session's agent may have changed since the reply began: confirms the credentials of both.
      const { init, replyInit } = settings;
      const all = [...new Set([init, replyInit].flatMap(idsOf))];
      const found = await this.#read(settings.init.tenant_id, all);
      if (!found) return this.#isBelieved(Date.now());
      settings.takeCredentials((init) => withCredentials(init, all, found));
      this.#confirm(Date.now());
      return true;
    } catch (error) {
      // The session was erased meanwhile, or the disk is full: credentials that could not be stored are not used.
      console.warn("credentials could not be confirmed", { error: String(error) });
      return false;
    }
  }

  async #read(tenantId: string, ids: readonly string[]): Promise<SealedCredentials | null> {
    try {
      return await Promise.race([
        readSealedCredentials(openDatabase(this.#database), tenantId, ids),
        scheduler.wait(CREDENTIAL_LOOKUP_MS).then(() => null),
      ]);
    } catch (error) {
      console.warn("credentials could not be looked up", { error: String(error) });
      return null;
    }
  }

  /** Without a stored confirmation the hour begins when D1 first does not answer. */
  #isBelieved(nowMs: number): boolean {
    this.#confirmedAt ??= readConfirmedAt(this.#sql);
    // A clock that was set back must not make the hour longer.
    if (this.#confirmedAt === null || this.#confirmedAt > nowMs) this.#write(nowMs);
    return nowMs - (this.#confirmedAt ?? nowMs) <= CREDENTIAL_STALE_MS;
  }

  #confirm(nowMs: number): void {
    const written = readConfirmedAt(this.#sql);
    const isWritten = written !== null && written <= nowMs;
    if (isWritten && nowMs - written < CREDENTIAL_CONFIRMATION_WRITE_MS) this.#confirmedAt = nowMs;
    else this.#write(nowMs);
  }

  #write(nowMs: number): void {
    writeConfirmedAt(this.#sql, nowMs);
    this.#confirmedAt = nowMs;
  }
}

/** Credentials that the agent names, and those of the session's own hooks and tools. */
function idsOf(init: Pick<SessionInit, "agent" | "hooks" | "tools">): readonly string[] {
  const { hooks } = init;
  const agent = equippedAgent(init);
  if (!hooks) return credentialIds(agent);
  return credentialIds({ ...agent, hooks: [...hooks.list, ...(agent.hooks ?? [])] });
}

/** The settings with the credentials that D1 has now; the same object when nothing has changed. */
function withCredentials(
  init: SessionInit,
  asked: readonly string[],
  found: SealedCredentials,
): SessionInit {
  const { credentials = {}, credential_hosts = {} } = init;
  const names = idsOf(init);
  const merge = <Value>(
    before: Readonly<Record<string, Value>>,
    now: Readonly<Record<string, Value>> = {},
  ): Record<string, Value> =>
    Object.fromEntries(
      names.flatMap((id) => {
        const value = asked.includes(id) ? now[id] : before[id];
        return value === undefined ? [] : [[id, value]];
      }),
    );
  const next: SessionInit = {
    ...init,
    credentials: merge(credentials, found.credentials),
    credential_hosts: merge(credential_hosts, found.credential_hosts),
    tenant_key: found.tenant_key ?? init.tenant_key,
  };
  return isSameJson(pinnedOf(init), pinnedOf(next)) ? init : next;
}

function pinnedOf({ credentials = {}, credential_hosts = {}, tenant_key }: SessionInit) {
  return { credentials, credential_hosts, tenant_key };
}
