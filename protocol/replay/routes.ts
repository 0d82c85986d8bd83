// Routes on replays of recorded sessions.
import { REPLAY_STREAM, ReplayCreateSchema, ReplaySchema } from "./contract.ts";
import { AGENT_ID, EXAMPLE_TIME, REPLY_ID, SESSION_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { REPLAY_WORDS } from "./words.ts";

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

const REPLAY_ROUTES = [
  {
    name: "createReplay",
    method: "POST",
    path: "/v1/agents/{agent_id}/replays",
    access: "agents:write",
    body: "json",
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
      "session_in_room",
      "session_unreadable",
    ],
  },
] as const satisfies readonly DocumentedRoute[];

export const REPLAY_CONTRACT = {
  routes: REPLAY_ROUTES,
  fields: REPLAY_WORDS,
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
} as const satisfies Contract;
