// Permission rules of a session, and tests of rules.
import type { SessionRule } from "../../../protocol/permission/contract.ts";
import { MAX_RULES } from "../../../protocol/permission/limits.ts";
import { makeAgent, openSession } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { openParked } from "../../worker/support/parked-session.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  testAgentPermission: {
    answers: 200,
    isSilent: true,
    body: ({ word }) => ({ tool_name: word }),
    shows: [],
    stores: [],
  },
  listPermissionRules: { answers: 200, shows: ["rule"] },
  createPermissionRules: {
    answers: 201,
    body: ({ word }) => ({
      rules: [{ tool_name: word, rule_content: `more ${word}`, behavior: "ask" }],
    }),
    shows: [],
    stores: ["+audit_entries", "+session.permission_rules"],
    refusedBy: ["database_bytes"],
    bounds: { "session.permission_rules": MAX_RULES },
  },
  deletePermissionRule: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-session.permission_rules"],
  },
  testPermissionRules: {
    answers: 200,
    isSilent: true,
    body: ({ word }) => ({ tool_name: word }),
    shows: [],
    stores: [],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createPermissionRules() {
    const { call, path } = await openSession();
    return {
      path: `${path}/permission-rules`,
      call,
      json: { rules: [{ tool_name: "refund_order", rule_content: "", behavior: "deny" }] },
      other: { rules: [{ tool_name: "refund_order", rule_content: "", behavior: "ask" }] },
      count: () => countListed(`${path}/permission-rules`, call),
    };
  },
} satisfies KeyedRequests;

const RULE = { tool_name: "refund_order", rule_content: null, behavior: "allow" };

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, session } = await openParked();
  const place = { session_id: session.id };
  const rules = Array.from({ length: MAX_RULES }, (_, index) => {
    return { ...RULE, rule_content: String(index) };
  });
  const json = { tool_name: "refund_order", input: { order_id: "A-1001" } };
  const added = await api.ask<{ data: readonly SessionRule[] }>("createPermissionRules", place, {
    ...call,
    json: { rules },
  });
  await api.ask("createPermissionRules", place, { ...call, json: { rules: [RULE] } });
  const same = { ...call, json: { rules: [{ ...RULE, rule_content: "0" }] } };
  await api.ask("createPermissionRules", { ...place, query: "?validate_only=true" }, same);
  await api.ask("listPermissionRules", place, call);
  await api.ask("testPermissionRules", place, { ...call, json });
  await api.ask("deletePermissionRule", { ...place, rule_id: added.json.data[0]!.id ?? "" }, call);
  const ruleTest = api.exampleOf("testAgentPermission", "agentRuleTest");
  const agent = await makeAgent(call, api.exampleOf("createAgent", "refundDesk") as object);
  await api.ask("testAgentPermission", { agent_id: agent.id }, { ...call, json: ruleTest });
}
