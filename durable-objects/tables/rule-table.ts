// The session's own permission rules, oldest first.
import { isSameRule } from "../../agent/permission/is-same-rule.ts";
import type { SessionRule } from "../../protocol/permission/contract.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";

interface RuleRow extends Record<string, SqlStorageValue> {
  id: string;
  rule: string;
  created_at: string;
  created_by: string;
}

export interface RuleInsert {
  readonly id: string;
  readonly rule: PermissionRule;
  readonly created_at: string;
  /** The id of the credential that added it. */
  readonly created_by: string;
}

export class RuleTable {
  readonly #sql: SqlStorage;
  /** Read before each call that runs; the table is read when it has changed. */
  #rules: readonly SessionRule[] | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  all(): readonly SessionRule[] {
    this.#rules ??= this.#sql
      .exec<RuleRow>("SELECT id, rule, created_at, created_by FROM permission_rules ORDER BY id")
      .toArray()
      .map(({ rule, ...row }) => ({
        ...(JSON.parse(rule) as PermissionRule),
        ...row,
        scope: "session",
      }));
    return this.#rules;
  }

  /** The equal rule that exists already, whatever credential added it. */
  findSame(rule: PermissionRule): SessionRule | null {
    return this.all().find((known) => isSameRule(known, rule)) ?? null;
  }

  insert({ id, rule, created_at, created_by }: RuleInsert): SessionRule {
    const { tool_name, rule_content, behavior, source } = rule;
    const known = this.all();
    const kept = { tool_name, rule_content, behavior, source };
    this.#sql.exec(
      "INSERT INTO permission_rules (id, rule, created_at, created_by) VALUES (?, ?, ?, ?)",
      id,
      JSON.stringify(kept),
      created_at,
      created_by,
    );
    const inserted: SessionRule = { ...kept, id, created_at, created_by, scope: "session" };
    this.#rules = [...known, inserted];
    return inserted;
  }

  /** @returns False when there is none. */
  remove(id: string): boolean {
    this.#rules = null;
    return this.#sql.exec("DELETE FROM permission_rules WHERE id = ?", id).rowsWritten > 0;
  }
}
