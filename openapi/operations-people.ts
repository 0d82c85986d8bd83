// Answers from outside, permission rules, and what waits for somebody.
import { PageQuerySchema } from "../protocol/api/schemas/common.ts";
import { ConfirmationListQuerySchema } from "../protocol/api/confirmations.ts";
import { DecisionListQuerySchema } from "../protocol/api/permission-rules.ts";
import { noContent, type Operation } from "./operation.ts";

export const PEOPLE_OPERATIONS = {
  listPermissionRules: {
    tag: "Permissions",
    summary: "List the rules that hold in a session",
    description: "The session's own and its agent's, which a session cannot remove.",
    query: PageQuerySchema,
    answers: {
      200: { description: "A page of rules.", json: "SessionRulePage" },
    },
  },
  createPermissionRules: {
    tag: "Permissions",
    summary: "Add rules to a session",
    description: [
      "They hold for each call that is decided from now on, also in a reply that runs. A rule that stands there",
      "already is not added twice. A rule may name a tool that the agent does not have, or not yet.",
    ].join(" "),
    body: { schema: "PermissionRulesCreate", examples: ["newRules"] },
    answers: {
      201: { description: "The rules, in the order of the request.", json: "AddedRules" },
    },
    errors: ["conflict"],
  },
  deletePermissionRule: {
    tag: "Permissions",
    summary: "Remove a rule of a session",
    description: "Calls that were decided by it stay decided.",
    answers: { 204: noContent("The rule is removed.") },
  },
  testPermissionRules: {
    tag: "Permissions",
    summary: "Ask which rule decides a call",
    description: "What a call would get at this moment, and why. Nothing is changed or recorded.",
    body: { schema: "PermissionRuleTest", examples: ["ruleTest"] },
    answers: {
      200: { description: "The decision.", json: "RuleTestResult", examples: ["ruleTestResult"] },
    },
  },
  listDecisions: {
    tag: "Permissions",
    summary: "List who decided what in a session",
    description:
      "The audit record, newest first: what the rules decided, and what people answered.",
    query: DecisionListQuerySchema,
    answers: { 200: { description: "A page of decisions.", json: "DecisionPage" } },
  },
  listConfirmations: {
    tag: "Confirmations",
    summary: "List what waits for somebody, across sessions",
    description:
      "Calls that a person has to confirm and calls whose result comes from outside, the oldest first.",
    query: ConfirmationListQuerySchema,
    answers: {
      200: {
        description: "A page of calls that wait.",
        json: "ConfirmationPage",
        examples: ["waitingCalls"],
      },
    },
  },
  answerConfirmations: {
    tag: "Confirmations",
    summary: "Answer many calls at once",
    description: [
      "Input events for several sessions. Each has an outcome of its own, at the same place of `data`: a receipt, or",
      "the problem that it would have got alone. Answers to one session are taken in their order, sessions side by side.",
      "A credential that lacks a scope for one of the events is refused as a whole.",
    ].join(" "),
    headers: ["traceparent", "tracestate"],
    body: { schema: "ConfirmationsAnswer", examples: ["bulkAnswers"] },
    answers: {
      200: { description: "The outcomes.", json: "ConfirmationOutcomes", examples: ["outcomes"] },
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
