// Words of fields that the schemas of this room have.
export const CONFIRMATION_WORDS = {
  "AcceptedAnswer.ok": "The answer was accepted.",
  "AcceptedAnswer.cursor": "The position before the event.",
  "AcceptedAnswer.reply":
    "The reply right after the event was durable, or null. Its message is null too when the messages together are too large.",
  "RefusedAnswer.ok": "The answer was refused, and nothing changed.",
  "RefusedAnswer.problem": "The problem that the answer would have got alone.",
  "Confirmation.asked_at": "When it began to wait.",
  "Confirmation.input_hash": "Binds an answer to this input, or null.",
  "Confirmation.question": "The sentence with which to ask a person, as plain text.",
  "Confirmation.reasons":
    "Why it asks; left out of calls that wait for a result, and of those that asked before this member was there.",
  "Confirmation.reasons.untrusted":
    "The calls that brought in the untrusted content because of which it asks; empty where that is not why.",
  "Confirmation.elicitation":
    "What the server of an MCP tool asks a person for; the answer is the call's result. Left out of all other calls.",
  "Confirmation.elicitation.server": "The name of the server that asks.",
  "Confirmation.elicitation.round": "How often the call has asked, from 1.",
  "Confirmation.elicitation.requests": "By a key of the server: forms and links.",
  "Confirmation.kind": "Who has to answer: a person, or an external system.",
  "Confirmation.tool_call": "The call; null when it is too large for a list: its session shows it.",
  "ConfirmationsAnswer.answers": "The answers, each to the calls of one session.",
  "ConfirmationsAnswer.answers.event": "The answer, as it would be posted to the session.",
  "ConfirmationOutcomes.data": "One outcome for each answer, in the order of the request.",
} as const;
