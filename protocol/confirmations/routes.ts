// Routes on waiting calls across sessions.
import {
  AgentScope1ConfirmationPageSchema,
  ConfirmationOutcomesSchema,
  ConfirmationPageSchema,
  ConfirmationListQuerySchema,
  ConfirmationsAnswerSchema,
  JavaConfirmationPageSchema,
} from "./contract.ts";
import { MESSAGE_FORMAT_WORDS } from "../schemas/event-format.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { CONFIRMATION_WORDS } from "./words.ts";
import { CONFIRMATION_EXAMPLES } from "./examples.ts";

const CONFIRMATION_ROUTES = [
  {
    name: "listConfirmations",
    method: "GET",
    path: "/v1/confirmations",
    access: "confirmations:read",
    body: "none",
    tag: "Confirmations",
    summary: "List waiting tool calls of all sessions",
    description:
      "Calls that need a person's confirmation and calls that need an external result, oldest first.",
    query: ConfirmationListQuerySchema,
    queryDescriptions: { format: MESSAGE_FORMAT_WORDS },
    answers: {
      200: {
        description: "A page of calls that wait.",
        json: ConfirmationPageSchema,
        translated: [AgentScope1ConfirmationPageSchema, JavaConfirmationPageSchema],
        examples: ["waitingCalls"],
      },
    },
  },

  {
    name: "answerConfirmations",
    method: "POST",
    path: "/v1/confirmations",
    access: "input_event",
    keeps_keys: "database",
    body: "media",
    tag: "Confirmations",
    summary: "Answer waiting calls of several sessions",
    description: [
      "Input events for several sessions. Each has an outcome of its own, at the same place of `data`: a receipt, or",
      "the problem that it would have got alone. Answers to one session are applied in order, sessions in parallel.",
      "A credential that lacks a scope for one of the events is refused as a whole.",
    ].join(" "),
    headers: ["traceparent", "tracestate"],
    request: { json: ConfirmationsAnswerSchema, examples: ["bulkAnswers"] },
    answers: {
      200: {
        description: "The outcomes.",
        json: ConfirmationOutcomesSchema,
        examples: ["outcomes"],
      },
    },
  },
] as const satisfies readonly DocumentedRoute[];

export const CONFIRMATION_CONTRACT = {
  tags: {
    Confirmations: "Tool calls that wait for a person or an external system, across sessions.",
  },
  routes: CONFIRMATION_ROUTES,
  queryParameters: {
    asked_after: "Only calls that were asked about at this moment or later.",
    asked_before: "Only calls that were asked about before this moment.",
    expires_before: "Only calls that expire before this moment.",
    kind: "`permission` for a person's confirmation, `external_result` for the result of an external system.",
    session_id: "Only what belongs to this session.",
    tool_name: "Only calls of this tool.",
  },
  fields: CONFIRMATION_WORDS,
  examples: CONFIRMATION_EXAMPLES,
} as const satisfies Contract;
