// Replays of recorded sessions.
import { REPLAY_STREAM } from "../../protocol/replay/contract.ts";
import { ReplayCreateSchema, ReplaySchema } from "../../protocol/replay/contract.ts";
import { AGENT_ID, EXAMPLE_TIME, REPLY_ID, SESSION_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

const usage = (input_tokens: number, output_tokens: number) => ({
  input_tokens,
  output_tokens,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
});
const count = { model_calls: 3, cost_usd: null };
const answer = {
  ...count,
  text: "Order A-1003 is refunded.",
  text_truncated: false,
  structured_output: null,
  error: null,
};
const replay = {
  id: "rpl_01kaj3a7c2f6j0n4r8t2w6y0b4",
  agent_id: AGENT_ID,
  session_id: SESSION_ID,
  version: 2,
  replies: [
    {
      reply_id: REPLY_ID,
      recorded: {
        ...answer,
        status: "completed",
        agent_version: 1,
        created_at: EXAMPLE_TIME,
        usage: usage(812, 64),
      },
      replayed: { ...answer, status: "completed", duration_ms: 1_204, usage: usage(790, 58) },
      answer_changed: false,
      calls: [
        {
          change: "same",
          tool_name: "refund_order",
          tool_call_id: "call_01kaj3a8d2f6j0n4r8t2w6y0b4",
          recorded_tool_call_id: "call_01kaj2vh1k4n7q1s5v9x3z6b0d",
          input: '{"order_id":"A-1003"}',
          recorded_input: '{"order_id":"A-1003"}',
          answered: "recorded",
          state: "success",
          recorded_state: "success",
          approval: "skipped",
          approved_by: null,
        },
      ],
      calls_omitted: 0,
    },
  ],
  summary: {
    replies: 1,
    answers_changed: 0,
    calls: { same: 1, changed: 0, new: 0, gone: 0 },
    approvals: { still_asked: 0, newly_asked: 0, skipped: 1, gone: 0 },
    recorded: { ...count, usage: usage(812, 64) },
    replayed: { ...count, usage: usage(790, 58) },
  },
  stopped: null,
  next_reply_id: null,
};

export const REPLAYS = {
  operations: {
    createReplay: {
      tag: "Agents",
      summary: "Replay a session on another version",
      description: [
        "Runs a recorded session of the agent again, on a version of it or on a definition that is not stored, and says",
        "what changed. The models are called, and paid for; tools and people are answered from the record, and nothing",
        "else happens: no request to a tool, no webhook, no file, no change of any session. A call without a recorded",
        "result ends the replay, and `stopped` says which. It counts as a running reply, one of a tenant at a time, for",
        "180 seconds and 100 model calls at most, and ends when the client leaves. Needs the scope sessions:read as well.",
        "The answer begins at once, with blanks or comments until it is done, so its status is 200 whatever is found.",
      ].join(" "),
      request: { json: ReplayCreateSchema, examples: ["replayOnNewest", "replayOnDraft"] },
      answers: {
        200: {
          description: "What changed.",
          json: ReplaySchema,
          stream: REPLAY_STREAM,
          examples: ["replayed"],
        },
      },
      errors: [
        "agent_mismatch",
        "conflict",
        "quota_exceeded",
        "replay_running",
        "session_unreadable",
      ],
    },
  },

  fieldDescriptions: {
    "Replay.id": "The replay's id. A replay is not stored: its answer is all there is of it.",
    "Replay.session_id": "The recorded session, which is one of this agent's.",
    "Replay.version":
      "The version that is run: in a request the newest when left out; null for a definition that is not stored.",
    "Replay.definition":
      "A definition that is not stored, in place of a version; checked as one that is stored would be.",
    "Replay.from_reply_id":
      "The first reply that is run again; what is before it stays as recorded. The session's first one when left out.",
    "Replay.max_replies": "Replies that are run again at most.",
    "Replay.assume":
      "How a call is answered that asks for a confirmation which the record does not have; `stop` ends the replay there.",
    "Replay.stream":
      "True for an event stream with progress; `Accept: text/event-stream` does the same.",
    "Replay.replies":
      "The replies that were run, in order; the last one may have been ended. In a summary and in progress, how many there are.",
    "Replay.summary": "Sums over all of them.",
    "Replay.stopped": "Why it has ended early, or null.",
    "Replay.next_reply_id":
      "The next recorded reply, where this replay had no place for more: `from_reply_id` of the next one. Null at the end.",
    "Replay.answers_changed": "Replies whose text or structured output differs.",
    "Replay.calls": "Calls by what became of them.",
    "Replay.calls.same": "Same tool, same input.",
    "Replay.calls.changed": "Same tool, other input.",
    "Replay.calls.new": "Only in the replay.",
    "Replay.calls.gone": "Only in the record.",
    "Replay.approvals": "Calls by what changed for the person who is asked.",
    "Replay.approvals.still_asked": "Asked both times.",
    "Replay.approvals.newly_asked": "Asked in the replay alone.",
    "Replay.approvals.skipped": "Made in the replay without a question.",
    "Replay.approvals.gone": "Not made any more.",
    "Replay.recorded": "Sums over the record of these replies.",
    "Replay.replayed": "Sums over the replay.",
    "Replay.recorded.model_calls": "Model calls.",
    "Replay.recorded.usage": "Tokens.",
    "Replay.recorded.cost_usd":
      "US dollars by the vendors' list prices; null when a part is not known.",
    "Replay.replayed.model_calls": "Model calls.",
    "Replay.replayed.usage": "Tokens.",
    "Replay.replayed.cost_usd":
      "US dollars by the vendors' list prices; null when a part is not known.",
    "ReplayStop.reason": "What has ended it.",
    "ReplayStop.detail": "The same in words.",
    "ReplayStop.reply_id": "The recorded reply that was being run again, or null.",
    "ReplayStop.tool_call": "The call at which it has ended, or null.",
    "ReplayStop.error": "The model's error, or null.",
    "ReplayedReply.reply_id": "The recorded reply.",
    "ReplayedReply.recorded": "As it was.",
    "ReplayedReply.replayed": "As it is now.",
    "ReplayedReply.answer_changed": "Whether the text or the structured output differs.",
    "ReplayedReply.calls": "In the order of the replay; those that are gone come last.",
    "ReplayedReply.calls_omitted": "More calls than are listed; the summary counts all of them.",
    "ReplayedReply.recorded.status": "How it ended.",
    "ReplayedReply.recorded.agent_version": "The version that it ran on.",
    "ReplayedReply.recorded.created_at": "When it began.",
    "ReplayedReply.replayed.status": "How it ended; `stopped` where the replay ended before it.",
    "ReplayedReply.replayed.duration_ms": "Milliseconds that it took.",
    ...Object.fromEntries(
      ["recorded", "replayed"].flatMap((side) => [
        [`ReplayedReply.${side}.text`, "The text of the answer; cut where it is long."],
        [`ReplayedReply.${side}.text_truncated`, "Whether it is cut here."],
        [`ReplayedReply.${side}.structured_output`, "The structured output, or null."],
        [`ReplayedReply.${side}.model_calls`, "Model calls."],
        [`ReplayedReply.${side}.usage`, "Tokens, or null when no model was called."],
        [
          `ReplayedReply.${side}.cost_usd`,
          "US dollars by the vendors' list prices; null when a part is not known.",
        ],
        [`ReplayedReply.${side}.error`, "Why it failed, or null."],
      ]),
    ),
    "ReplayedCall.change": "`same`, `changed` input, only in the replay, or only in the record.",
    "ReplayedCall.tool_name": "The tool.",
    "ReplayedCall.tool_call_id": "The call in the replay; null for one that is gone.",
    "ReplayedCall.recorded_tool_call_id": "The call in the record; null for a new one.",
    "ReplayedCall.input": "As its model wrote it; cut where it is long.",
    "ReplayedCall.recorded_input": "As its model wrote it then; cut where it is long.",
    "ReplayedCall.answered":
      "By a recorded result, by one that was used before (`repeated`), by the platform itself, by a denial, or not at all.",
    "ReplayedCall.state": "Of its result, or null.",
    "ReplayedCall.recorded_state": "Of the recorded result, or null.",
    "ReplayedCall.approval":
      "What changed for the person who is asked; null for a call that asked neither time.",
    "ReplayedCall.approved_by":
      "Where the answer to its question came from; null where none was asked, or the replay ended there.",
  },
  examples: {
    replayOnNewest: { summary: "On the newest version", value: { session_id: SESSION_ID } },
    replayOnDraft: {
      summary: "On a definition that is not stored",
      value: {
        session_id: SESSION_ID,
        definition: { name: "Refund desk", system_prompt: "Be brief." },
        assume: "deny",
      },
    },
    replayed: { summary: "A refund that asks nobody any more", value: replay },
    replayStream: {
      summary: "One reply",
      value: [
        { type: "progress", reply_id: REPLY_ID, number: 1, replies: 1 },
        { type: "result", replay },
      ]
        .map(
          (event, index) =>
            `id: ${index + 1}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
        )
        .join(""),
    },
  },
} as const satisfies Resource;
