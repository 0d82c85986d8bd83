// Texts about a session's own settings, and about its conversation as a whole.

export const CONVERSATION_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Observe: "Messages that the agent is to know of without answering them.",
  Observed: "What was added, and where the stream is after it.",
};

export const CONVERSATION_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "Observe.messages": "A text, a message, messages, or blocks of text and data.",
  "Observed.messages": "The messages, in the order of the request.",

  "Problem.version":
    "With state_conflict, state_invalid and version_mismatch: the version that the state is at.",
};
