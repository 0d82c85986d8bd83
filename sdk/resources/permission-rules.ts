import type {
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

/** Permission rules of one session, in addition to its agent's. */
export interface PermissionRules {
  /** The session's rules and the agent's; the latter cannot be removed here. */
  list(query?: ListQuery, options?: RequestOptions): Paged<SessionRule>;
  create(
    rules: InputOf<typeof RulesCreateSchema>["rules"],
    options?: RequestOptions,
  ): Promise<readonly SessionRule[]>;
  delete(ruleId: string, options?: RequestOptions): Promise<void>;
  /** Evaluates a hypothetical call: the decision and the matching rule. No side effects. */
  test(call: InputOf<typeof RuleTestSchema>, options?: RequestOptions): Promise<RuleTestResult>;
}

export function permissionRulesOf(transport: Transport, sessionId: string): PermissionRules {
  const path = ["sessions", sessionId, "permission-rules"];
  return {
    list: (query, options) => transport.list(path, query, options),
    create: async (rules, options) =>
      (await postTo<{ data: SessionRule[] }>(transport, path, { rules }, options)).data,
    delete: async (ruleId, options) => {
      await deleteAt(transport, [...path, ruleId], options);
    },
    test: (call, options) => postTo(transport, [...path, "test"], call, options),
  };
}
