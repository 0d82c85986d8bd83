import type {
  AddedRules,
  CheckedRules,
  RuleTestResult,
  RuleTestSchema,
  RulesCreateSchema,
  SessionRule,
} from "../../protocol/permission/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { deleteAt, postTo } from "../transport/write-requests.ts";
import { withWarnings, type Warned } from "./with-warnings.ts";
import { strictly, VALIDATION, type WriteOptions } from "./write-options.ts";

type RulesInput = InputOf<typeof RulesCreateSchema>["rules"];

/** Rules that were added, with the warnings about those that decide about no call. */
export type WrittenRules = readonly SessionRule[] & Warned;

/** Permission rules of one session, in addition to its agent's. */
export interface PermissionRules {
  /** The session's rules and the agent's; the latter cannot be removed here. */
  list(query?: ListQuery, options?: RequestOptions): Paged<SessionRule>;
  /** The rules as the session has them. The list has `warnings` about those that decide about no call. */
  create(rules: RulesInput, options?: WriteOptions): Promise<WrittenRules>;
  /**
   * Checks rules as `create` would, and writes nothing. @returns them as they would be stored, with `warnings` about those
   * that would decide about no call.
   */
  validate(rules: RulesInput, options?: RequestOptions): Promise<CheckedRules>;
  delete(ruleId: string, options?: RequestOptions): Promise<void>;
  /** Evaluates a hypothetical call: the decision and the matching rule. No side effects. */
  test(call: InputOf<typeof RuleTestSchema>, options?: RequestOptions): Promise<RuleTestResult>;
}

export function permissionRulesOf(transport: Transport, sessionId: string): PermissionRules {
  const path = ["sessions", sessionId, "permission-rules"];
  return {
    list: (query, options) => transport.list(path, query, options),
    create: async (rules, options) => {
      const body = { rules };
      const added = await postTo<AddedRules>(transport, path, body, strictly(options));
      return withWarnings(added.data, added);
    },
    validate: (rules, options) => postTo(transport, path, { rules }, { ...options, ...VALIDATION }),
    delete: async (ruleId, options) => {
      await deleteAt(transport, [...path, ruleId], options);
    },
    test: (call, options) => postTo(transport, [...path, "test"], call, options),
  };
}
