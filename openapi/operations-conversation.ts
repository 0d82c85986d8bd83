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
  forkSession: {
    tag: "Sessions",
    summary: "Open a session with another one's conversation",
    description: [
      "The new session has the conversation up to and including a message, in a log of its own, and what the source is",
      "set to. The source is not touched and may be running: a reply that runs or waits is not copied. Client tokens and",
      "usage stay behind. A source with permission of its own (mode, directories, rules) is copied with it, which needs",
      "`permission_rules:write` too. A message of more than 9,000,000 bytes is not copied: fork before it.",
    ].join(" "),
    body: { schema: "ForkCreate", examples: ["forkAtMessage", "forkAtEnd"] },
    answers: {
      201: {
        description: "The new session.",
        json: "Session",
        headers: ["Location"],
      },
    },
    errors: [
      "cursor_ahead",
      "reply_running",
      "reply_awaiting",
      "conflict",
      "message_too_large",
      "quota_exceeded",
    ],
  },
  readState: {
    tag: "Sessions",
    summary: "Take a session out as an AgentState",
    description: [
      "The form in which AgentScope keeps a session: the newest messages that fit into 8 MB, and the session's own",
      "permission. The agent's rules are not in it. Needs `permission_rules:read` too.",
    ].join(" "),
    answers: { 200: { description: "The state.", json: "AgentState", examples: ["agentState"] } },
  },
  writeState: {
    tag: "Sessions",
    summary: "Bring an AgentState into an empty session",
    description: [
      "Older names are accepted. A summary becomes the first message; calls that have come to no end get an interrupted",
      "result; what belongs to an agent's process (caches, tasks, middleware) is not kept. Permission that differs from",
      "the session's needs `permission_rules:write` too. The same state again changes nothing.",
    ].join(" "),
    body: { schema: "AgentStateInput", examples: ["broughtState"] },
    answers: { 200: { description: "The state as the session has it now.", json: "AgentState" } },
    errors: ["reply_running", "reply_awaiting", "conflict"],
  },
  readSharedState: {
    tag: "Sessions",
    summary: "Read the state that the app and the agent share",
    description:
      "With its version, also as `ETag`, and the stream position that it is folded to: events after `cursor` named `shared_state_updated` carry what changes it later.",
    answers: {
      200: {
        description: "The state.",
        json: "SharedState",
        headers: ["ETag"],
        examples: ["sharedState"],
      },
    },
  },
  patchSharedState: {
    tag: "Sessions",
    summary: "Change the state that the app and the agent share",
    description: [
      "A JSON Patch, whole or not at all, at any time; the model is told before its next call. The change is in the log as",
      "`CUSTOM shared_state_updated`. With `If-Match` it is made only at that version. A patch that changes nothing makes no",
      "version. A client token needs `read` beside `reply`.",
    ].join(" "),
    headers: ["If-Match"],
    body: { schema: "JsonPatch", examples: ["statePatch"] },
    answers: {
      200: { description: "The state after it.", json: "SharedState", headers: ["ETag"] },
    },
    errors: ["state_conflict", "version_mismatch", "state_invalid"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
