// The client tokens that were minted for this session and are not over yet.
import type { ClientTokenRecord } from "../protocol/api/client-tokens.ts";

interface TokenRow extends Record<string, SqlStorageValue> {
  expires_at: number;
  revoked_at: number | null;
}

export class TokenTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Forgets those that have expired: nobody needs to know them any more. */
  add({ id, expires_at }: ClientTokenRecord, nowMs: number): void {
    this.#sql.exec("DELETE FROM client_tokens WHERE expires_at <= ?", nowMs);
    this.#sql.exec(
      "INSERT OR IGNORE INTO client_tokens (id, expires_at) VALUES (?, ?)",
      id,
      Date.parse(expires_at),
    );
  }

  /** When it expires, in Unix milliseconds; null for one that was revoked, has expired or was never minted here. */
  findExpiry(id: string, nowMs: number): number | null {
    const row = this.#find(id);
    if (!row || row.revoked_at !== null || row.expires_at <= nowMs) return null;
    return row.expires_at;
  }

  /** Revoking twice is revoking once. @returns False when there is no such token. */
  revoke(id: string, nowMs: number): boolean {
    const row = this.#find(id);
    if (!row) return false;
    if (row.revoked_at === null) {
      this.#sql.exec("UPDATE client_tokens SET revoked_at = ? WHERE id = ?", nowMs, id);
    }
    return true;
  }

  #find(id: string): TokenRow | null {
    const [row] = this.#sql
      .exec<TokenRow>("SELECT expires_at, revoked_at FROM client_tokens WHERE id = ?", id)
      .toArray();
    return row ?? null;
  }
}
