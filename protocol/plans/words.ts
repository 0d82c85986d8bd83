// Words of fields that the schemas of this room have.
export const PLAN_WORDS = {
  "SessionPlan.plan": "The current plan; null for none.",
  "SessionPlan.version": "The number of changes so far.",
  "SessionPlan.cursor": "Its stream position: later events change it.",
  "SessionPlan.is_suspended":
    "The last reply that was worked in was interrupted, and nothing has changed the plan since.",
  "SessionPlan.history": "Earlier plans, oldest first; the newest 20.",
  "Plan.name": "One line.",
  "Plan.description": "What the plan is for.",
  "Plan.expected_outcome": "What there is once all of it is done.",
  "Plan.created_at": "When it was made.",
  "Plan.finished_at": "When it ended; null while it is open.",
  "Plan.outcome": "What came of it; null while it is open.",
  "Plan.last_subtask":
    "The greatest number that a subtask has had as its id: ids are not given again.",
  "Plan.id":
    "Unique in the session. Written, it names the current plan, which is changed, or an earlier one, which is recovered; a new plan is made without it.",
  "Plan.state": "Of an open plan `todo` or `in_progress`, as its subtasks are.",
  "Plan.subtasks": "In their order.",
  "Subtask.name": "One line.",
  "Subtask.description": "What has to be done.",
  "Subtask.expected_outcome": "What there is once it is done.",
  "Subtask.state": "How far it is.",
  "Subtask.outcome": "What came of it; null until it is done.",
  "Subtask.acceptance":
    "Who says that it is done, and by what; null when the one who finishes it does.",
  "Subtask.owner": "Who works on it; null for no one in particular.",
  "Subtask.blocks": "Ids of subtasks that wait for this one. They bind nothing.",
  "Subtask.blocked_by": "Ids of subtasks that this one waits for. They bind nothing.",
  "Subtask.metadata": "Anything else that is kept with it.",
  "Subtask.created_at": "When it was made.",
  "Subtask.finished_at": "When it was done or abandoned; null before.",
  "Subtask.id": "Unique in the plan. A new one gets an id when it is left out.",
  "SubtaskAcceptance.kind":
    "`model`: the model compares the outcome with the criteria before it is done. `person`: a person confirms the call that finishes it.",
  "SubtaskAcceptance.criteria": "What has to be the case.",
  "SubtaskAcceptance.state":
    "`reviewing`: the model was asked to compare, and has not answered yet.",
  "PlanWrite.plan": "Null takes the current plan away: it goes to the history as abandoned.",
  "PlanWrite.version": "May be sent back as it was read; the platform sets it.",
  "PlanWrite.cursor": "May be sent back as it was read; the platform sets it.",
  "PlanWrite.is_suspended": "May be sent back as it was read; the platform sets it.",
  "PlanWrite.history": "May be sent back as it was read; the platform sets it.",
} as const;
