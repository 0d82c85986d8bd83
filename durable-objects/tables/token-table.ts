// The client tokens that were minted for this session and have not expired.
import type { ClientTokenRecord, LiveToken, Verb } from "../../protocol/client-tokens/contract.ts";

interface TokenRow extends Record<string, SqlStorageValue> {
  id: string;
  expires_at: number;
  revoked_at: number | null;
  verbs: string | null;
  allowed_origins: string | null;
  created_at: string | null;
  key_id: string | null;
}

export class TokenTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds a token, and deletes those that have expired. */
  add(token: ClientTokenRecord, nowMs: number): void {
    const { id, expires_at, verbs, allowed_origins, created_at = null, key_id = null } = token;
    this.#sql.exec("DELETE FROM client_tokens WHERE expires_at <= ?", nowMs);
    this.#sql.exec(
      `INSERT OR IGNORE INTO client_tokens (id, expires_at, verbs, allowed_origins, created_at, key_id)
       VALUES (?, ?, ?, ?, ?, ?)`,
      id,
      Date.parse(expires_at),
      verbs ? JSON.stringify(verbs) : null,
      allowed_origins ? JSON.stringify(allowed_origins) : null,
      created_at,
      key_id,
    );
  }

  /** When it expires, in Unix milliseconds; null for one that was revoked, has expired or was never minted here. */
  findExpiry(id: string, nowMs: number): number | null {
    const row = this.#find(id);
    if (!row || row.revoked_at !== null || row.expires_at <= nowMs) return null;
    return row.expires_at;
  }

  /** The valid tokens, newest first. @param before Ids below this one. */
  live(
    before: string | null,
    limit: number,
    nowMs: number,
  ): readonly Omit<LiveToken, "session_id">[] {
    return this.#sql
      .exec<TokenRow>(
        `SELECT * FROM client_tokens WHERE revoked_at IS NULL AND expires_at > ? AND (? IS NULL OR id < ?)
         ORDER BY id DESC LIMIT ?`,
        nowMs,
        before,
        before,
        limit,
      )
      .toArray()
      .map(({ revoked_at: _, expires_at, verbs, allowed_origins, ...row }) => ({
        ...row,
        expires_at: new Date(expires_at).toISOString(),
        verbs: parseList<Verb>(verbs),
        allowed_origins: parseList<string>(allowed_origins),
      }));
  }

  /** Idempotent. @returns False when there is no such token. */
  revoke(id: string, nowMs: number): boolean {
    const row = this.#find(id);
    if (!row) return false;
    if (row.revoked_at === null) {
      this.#sql.exec("UPDATE client_tokens SET revoked_at = ? WHERE id = ?", nowMs, id);
    }
    return true;
  }

  /** Revokes the tokens that these keys have minted. @returns The ids of those that were not revoked before. */
  revokeOf(keyIds: readonly string[], nowMs: number): readonly string[] {
    return this.#sql
      .exec<{ id: string }>(
        `UPDATE client_tokens SET revoked_at = ?
         WHERE revoked_at IS NULL AND key_id IN (SELECT value FROM json_each(?)) RETURNING id`,
        nowMs,
        JSON.stringify(keyIds),
      )
      .toArray()
      .map(({ id }) => id);
  }

  #find(id: string): TokenRow | null {
    const [row] = this.#sql
      .exec<TokenRow>("SELECT * FROM client_tokens WHERE id = ?", id)
      .toArray();
    return row ?? null;
  }
}

function parseList<Item>(text: string | null): Item[] | null {
  return text === null ? null : (JSON.parse(text) as Item[]);
}
