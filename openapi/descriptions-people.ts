// What the document says about answers from outside, permission rules and what waits.

export const PEOPLE_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  AddedRules: "The rules that a request has added.",
  Confirmation: "A call that waits for somebody outside, and where it waits.",
  ConfirmationOutcome: "What became of one answer: a receipt, or a problem.",
  Decision: "One line of the audit record.",
  RuleTestResult: "What a call would get at this moment.",
  SessionRule: "A rule that holds in a session: its own, or its agent's.",
};

export const PEOPLE_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "AddedRules.data": "The rules as they stand now.",
  "AcceptedAnswer.ok": "The answer was taken.",
  "RefusedAnswer.ok": "The answer was refused, and nothing was done.",
  "RefusedAnswer.problem": "What it would have got alone.",
  behavior: "What is decided: `allow` runs it, `ask` asks a person, `deny` refuses it.",
  reason: "Why, in words; null when there is nothing to say.",
  rule: "The rule that decided; null when none did.",
  "Confirmation.asked_at": "Since when it waits.",
  "Confirmation.input_hash": "Binds an answer to this input, or null.",
  "Confirmation.kind": "Who has to answer: a person, or a system outside.",
  "Confirmation.tool_call": "The call; null when it is too large for a list: its session shows it.",
  "ConfirmationsAnswer.answers": "The answers, each to the calls of one session.",
  "ConfirmationsAnswer.answers.event": "The answer, as it would be posted to the session.",
  "ConfirmationOutcomes.data": "One outcome for each answer, in the order of the request.",

  "Decision.decided_at": "When it was decided.",
  "Decision.decided_by": "Who decided.",
  "Decision.decided_by.id": "The credential that answered; null for the platform.",
  "Decision.decided_by.kind": "The platform by its rules, or a credential by its answer.",
  "Decision.edited_input": "What an answer changed the input to; null when it left it.",
  "Decision.seq": "The event that brought it.",

  "AcceptedAnswer.cursor": "The position before the event.",
  "AcceptedAnswer.reply":
    "The reply right after the event was durable, or null. Its message is null too when the messages together are too large.",
  "PermissionRuleTest.input": "The call's input as the model would write it.",
  "SessionRule.created_by": "The credential that wrote it; null for the agent's own.",
  "SessionRule.created_at": "When it was written; null for the agent's own.",
  "SessionRule.id": "Names it for its removal; null for the agent's own, which stay.",
  "SessionRule.rule_content": "Which calls of the tool; null or empty means all.",
  "SessionRule.scope": "Whose rule it is.",
};
