// Triggers of the refund desk, as the API's document shows them.
import { AGENT_ID, ASKED_AT, EXAMPLE_TIME, KEY_ID, REPLY_ID, SESSION_ID } from "../refund-desk.ts";

const TRIGGER_ID = "trg_01kaj2vf3h8m2p6r0t4w7y1a5f";
const HOOKED_ID = "trg_01kaj2vf3h8m2p6r0t4w7y1a5g";

const rest = {
  agent_id: AGENT_ID,
  room_id: null,
  mentions: [],
  overlap: "skip",
  permission: { mode: "dont_ask" },
  returns_untrusted: true,
  missed: "skip",
  metadata: {},
} as const;

const state = {
  agent_version: "latest",
  budget: null,
  end_user_id: null,
  status: "active",
  paused_reason: null,
  failures_in_row: 0,
  missed_runs: 0,
  created_by_key_id: KEY_ID,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
} as const;

const DAILY = {
  name: "Open refunds, every morning",
  schedule: { type: "cron", expression: "0 8 * * 1-5", timezone: "Europe/Berlin" },
  input: "List the refunds that are open for more than two days.",
} as const;

export const NEW_TRIGGER = { ...DAILY, agent_id: AGENT_ID };

export const TRIGGER = {
  ...rest,
  ...state,
  ...DAILY,
  id: TRIGGER_ID,
  webhook: null,
  session: { mode: "new" },
  upcoming_runs_at: [
    "2026-11-23T07:00:00.000Z",
    "2026-11-24T07:00:00.000Z",
    "2026-11-25T07:00:00.000Z",
    "2026-11-26T07:00:00.000Z",
    "2026-11-27T07:00:00.000Z",
  ],
  last_run_at: null,
};

const HOOKED = {
  name: "New issues of the shop",
  input: "Somebody reports: {issue/title}",
  session: { mode: "keyed", key: { pointer: "/issue/number" } },
} as const;

export const NEW_HOOKED_TRIGGER = { ...HOOKED, agent_id: AGENT_ID, webhook: { form: "github" } };

export const HOOKED_TRIGGER = {
  ...rest,
  ...state,
  ...HOOKED,
  id: HOOKED_ID,
  schedule: null,
  webhook: {
    form: "github",
    url: "https://reprise.example/v1/trigger-webhooks/tw_…",
    old_secret_expires_at: null,
    secret: "whsec_aXNzdWVzLW9mLXRoZS1zaG9wLXNlY3JldC0zMi1ieXRlcw==",
  },
  upcoming_runs_at: [],
  last_run_at: null,
};

export const NEW_ROOM_TRIGGER = {
  name: "The week's debate",
  room_id: "room_01kaj2vf3h8m2p6r0t4w7y1a5c",
  schedule: { type: "cron", expression: "0 9 * * 1", timezone: "Europe/Berlin" },
  input: "Which of last week's refunds would you decide otherwise?",
};

export const PAUSED_TRIGGER = { ...TRIGGER, status: "paused", paused_reason: { type: "manual" } };

export const TRIGGER_RUN = {
  id: "trun_01kaj2vf3h8m2p6r0t4w7y1a5h",
  trigger_id: TRIGGER_ID,
  trigger_context: { type: "schedule", scheduled_at: "2026-11-20T07:00:00.000Z" },
  status: "succeeded",
  skip_reason: null,
  error: null,
  session_id: SESSION_ID,
  reply_id: REPLY_ID,
  room_id: null,
  message_id: null,
  created_at: EXAMPLE_TIME,
  started_at: EXAMPLE_TIME,
  ended_at: ASKED_AT,
};

export const PENDING_RUN = {
  ...TRIGGER_RUN,
  trigger_context: { type: "manual" },
  status: "pending",
  session_id: null,
  reply_id: null,
  started_at: null,
  ended_at: null,
};
