// What is done with a session's conversation as a whole.
import type { Operation } from "./operation.ts";

export const CONVERSATION_OPERATIONS = {
  observe: {
    tag: "Messages",
    summary: "Add messages that nobody answers",
    description: [
      "The agent reads them with the next reply. Message ids mean what they mean for a reply's input: the same id with",
      "the same content adds nothing. While a reply runs or waits nothing new can be added.",
    ].join(" "),
    body: { schema: "Observe", examples: ["observedMessage"] },
    answers: { 201: { description: "The messages as they are stored.", json: "Observed" } },
    errors: ["reply_running", "reply_awaiting", "message_conflict"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
