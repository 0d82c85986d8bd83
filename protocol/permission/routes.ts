// Routes on the permission rules of a session.
import {
  AddedRulesSchema,
  CheckedRulesSchema,
  DecisionPageSchema,
  SessionRulePageSchema,
  RuleTestResultSchema,
  DecisionListQuerySchema,
  RuleTestSchema,
  RulesCreateSchema,
} from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import { WriteQuerySchema } from "../schemas/write-query.ts";
import { REFUND_RULE } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { PERMISSION_WORDS } from "./words.ts";

const PERMISSION_ROUTES = [
  {
    name: "listPermissionRules",
    method: "GET",
    path: "/v1/sessions/{session_id}/permission-rules",
    access: "permission_rules:read",
    body: "none",
    tag: "Permissions",
    summary: "List the permission rules of a session",
    description: "The session's own rules and its agent's, which cannot be removed here.",
    query: PageQuerySchema,
    answers: {
      200: { description: "A page of rules.", json: SessionRulePageSchema },
    },
  },

  {
    name: "createPermissionRules",
    method: "POST",
    path: "/v1/sessions/{session_id}/permission-rules",
    access: "permission_rules:write",
    keeps_keys: "session",
    validates_only: true,
    body: "json",
    tag: "Permissions",
    summary: "Add rules to a session",
    description: [
      "They apply to each call that is decided from now on, also in a running reply. A rule that the session has",
      "already is not added twice. A rule that would decide about no call, such as one on a tool that the session does",
      "not have, is added and named in `warnings`. With `validate_only=true` nothing is written.",
    ].join(" "),
    query: WriteQuerySchema,
    request: { json: RulesCreateSchema, examples: ["newRules"] },
    answers: {
      200: {
        description: "With `validate_only`: the rules as they would be stored.",
        json: CheckedRulesSchema,
        examples: ["warnedRules"],
      },
      201: { description: "The rules, in the order of the request.", json: AddedRulesSchema },
    },
    errors: ["conflict"],
  },

  {
    name: "deletePermissionRule",
    method: "DELETE",
    path: "/v1/sessions/{session_id}/permission-rules/{rule_id}",
    access: "permission_rules:write",
    body: "none",
    tag: "Permissions",
    summary: "Delete a rule of a session",
    description: "Calls that it decided before stay decided.",
    answers: { 204: { description: "The rule is removed." } },
  },

  {
    name: "testPermissionRules",
    method: "POST",
    path: "/v1/sessions/{session_id}/permission-rules/test",
    access: "permission_rules:read",
    body: "json",
    tag: "Permissions",
    summary: "Ask which rule decides a call",
    description:
      "The decision that a call would get at this moment, and why. Nothing is changed or recorded.",
    request: { json: RuleTestSchema, examples: ["ruleTest"] },
    answers: {
      200: {
        description: "The decision.",
        json: RuleTestResultSchema,
        examples: ["ruleTestResult"],
      },
    },
  },

  {
    name: "listDecisions",
    method: "GET",
    path: "/v1/sessions/{session_id}/decisions",
    access: "permission_rules:read",
    body: "none",
    tag: "Permissions",
    summary: "List the permission decisions of a session",
    description: "Newest first: decisions of the rules, and answers of people.",
    query: DecisionListQuerySchema,
    answers: { 200: { description: "A page of decisions.", json: DecisionPageSchema } },
  },
] as const satisfies readonly DocumentedRoute[];

export const PERMISSION_CONTRACT = {
  tags: {
    Permissions: "Rules that allow, deny or ask for tool calls, and the record of decisions.",
  },
  routes: PERMISSION_ROUTES,
  pathParameters: {
    rule_id: { form: "rul", description: "The rule; an agent's own have no id." },
  },
  fields: PERMISSION_WORDS,
  examples: {
    newRules: {
      summary: "Refunds of one order need no confirmation",
      value: {
        rules: [{ tool_name: "refund_order", rule_content: "A-1001", behavior: "allow" }],
      },
    },
    warnedRules: {
      summary: "A rule on a tool that is misspelled",
      value: {
        data: [
          { tool_name: "refund_ordr", rule_content: null, behavior: "deny", source: "session" },
        ],
        warnings: [
          {
            pointer: "#/rules/0/tool_name",
            detail:
              "the session has no tool refund_ordr; did you mean `refund_order`? Only one that a page brings could have this name",
          },
        ],
      },
    },
    ruleTest: {
      summary: "A refund",
      value: { tool_name: "refund_order", input: { order_id: "A-1001", amount_cents: 4200 } },
    },
    ruleTestResult: {
      summary: "It would be asked for",
      value: { behavior: "ask", reason: null, rule: null, suggested_rules: [REFUND_RULE] },
    },
  },
} as const satisfies Contract;
