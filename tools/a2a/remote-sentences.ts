// Sentences about calls of other systems' agents, for the model that has made the call.
export const UNKNOWN =
  "It may have done a part of its work, so the outcome is unknown: find out before you call it again.";
export const LOST = `The connection to the agent was lost before it had named its task. ${UNKNOWN}`;
export const LATE = "The agent's task did not end in a day, and was cancelled.";
export const UNANSWERED =
  "The user did not answer what the agent asked, so its task was cancelled.";
export const IN_A_LOOP = "The agent asks in a loop, so its task was cancelled.";
export const SECRET =
  "The agent asked for a secret as plain text, which nobody was shown. Its task was cancelled.";
export const BY_HAND =
  "The agent needs an answer of a person, who cannot be asked here. Its task was cancelled.";
/** Ends of tasks without a result. */
export const ENDS = {
  TASK_STATE_FAILED: "failed",
  TASK_STATE_CANCELED: "cancelled",
  TASK_STATE_REJECTED: "rejected",
} as const;
