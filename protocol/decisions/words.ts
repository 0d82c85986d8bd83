// Words of fields that the schemas of this room have.
export const DECISION_WORDS = {
  "AgentRuleTest.input": "The call's input as the model would write it.",
  "AgentRuleTest.permission": "Instead of the version's own mode and rules.",
  "AgentRuleTest.permission.mode": "The decision for calls that no rule matches.",
  "AgentRuleTest.permission.bypass_untrusted":
    "As in an agent. Has no effect here, since there is no conversation with untrusted results.",
  "AgentRuleTest.permission.rules.rule_content":
    "Which calls of the tool, as the tool's `rule_syntax` says; null, empty or left out means all.",
  "AgentRuleTest.version": "The version to ask; the newest when left out.",
  "AgentRuleTest.working_directories": "As a session may have them.",
  "Simulation.version":
    "The version whose tools and rules are compared with; the newest when left out.",
  "Simulation.permission": "The mode and the rules to compare.",
  "Simulation.permission.mode": "The decision for calls that no rule matches.",
  "Simulation.permission.bypass_untrusted":
    "As in an agent. Has no effect here: what the model had been sent before a call is not kept.",
  "Simulation.permission.rules.rule_content":
    "Which calls of the tool, as the tool's `rule_syntax` says; null, empty or left out means all.",
  "Simulation.since": "Only calls that were decided at this moment or later.",
  "Simulation.until": "Only calls that were decided before this moment.",
  "Simulation.limit": "How many sessions a page asks.",
  "Simulation.page": "The `next_page` of the page before; all else is to be the same.",
  "Simulation.data": "Calls that would be decided otherwise, by session, newest first in each.",
  "Simulation.sessions": "Sessions of this page that answered.",
  "Simulation.sessions_failed":
    "Sessions of this page that did not answer in time, or cannot be read.",
  "Simulation.calls": "Calls of this page that were compared.",
  "Simulation.calls_skipped":
    "Calls that were not: the version lacks their tool, or their input cannot be read.",
  "SimulatedCall.decided_at": "When the call was decided.",
  "SimulatedCall.recorded": "What was decided then, by the rules of that time.",
  "SimulatedCall.before": "What the version decides, with the session's own rules of that time.",
  "SimulatedCall.after": "What the permission of the request decides, with the same rules.",
  "TenantDecision.decided_at": "When it was decided.",
  "TenantDecision.decided_by": "Who decided.",
  "TenantDecision.decided_by.id":
    "The credential or the member that answered; null for the platform.",
  "TenantDecision.decided_by.name": "The member's name at that time; missing for others.",
  "TenantDecision.decided_by.kind": "The platform by its rules, or a credential by its answer.",
  "TenantDecision.is_edited": "Whether the answer changed the call's input.",
  "TenantDecision.reason": "The reason, cut to 300 characters, or null.",
  "TenantDecision.seq": "The event of the decision in its session.",
} as const;
