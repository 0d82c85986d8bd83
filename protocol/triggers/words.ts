// Words of fields that the schemas of this room have.
export const TRIGGER_WORDS = {
  "Trigger.agent_id":
    "The agent that answers, each run in a session; null for a trigger of a room.",
  "Trigger.room_id":
    "The room that answers: a run says its input there as a message of the room itself, and ends with its discussion. Needs the scope `rooms:write`. Null for a trigger of an agent.",
  "Trigger.mentions": "Of a room: participants who are to speak next, where turns go by mention.",
  "Trigger.agent_version":
    "The version of the agent: a number, or `latest` for the newest one at the start of each run, as when left out. Null for a room, whose participants have their own.",
  "Trigger.schedule":
    "When it is due: by `cron` of five fields in the wall clock of an IANA time zone, or `once`; null for a trigger that a webhook, or a person, begins.",
  "Trigger.webhook":
    "The sender whose webhooks begin runs; null for none. `form` says how the sender signs: `standard` (Standard Webhooks), `github`, `stripe` or `slack`.",
  "Trigger.input":
    "What the agent is told: a text, or several blocks of text. Of a trigger with a webhook it is a template: `{issue/title}` is that member of the payload, `{{` and `}}` are the braces themselves.",
  "Trigger.session":
    "The session of a run: a `new` one each time, as when left out; one that is `kept`; or one for each key (`keyed`), which is a fixed `value` or a `pointer` into the payload. Null for a room, which is one conversation.",
  "Trigger.overlap":
    "What happens to a run while an earlier one has not ended: it is left out (`skip`, as when left out), waits for its end (`queue`), or begins beside it (`allow`). In the modes `kept` and `keyed` this is about runs in the same session, in a room about all.",
  "Trigger.permission":
    "The permission mode of its sessions: `dont_ask` when left out, in which a call that would ask is denied. `bypass` needs the scope `permission_bypass:write`. Null for a room, whose participants have their own.",
  "Trigger.budget": "Bounds of its replies: `max_tokens` of each one. Null for the agent's own.",
  "Trigger.end_user_id":
    "The end user of its sessions: fixed, or a `pointer` into the payload, with a `prefix` of the trigger's own in front of what is there. Null for none.",
  "Trigger.returns_untrusted":
    "Whether what a payload brings in is untrusted content, as when left out. False needs the scope `permission_rules:write`.",
  "Trigger.missed":
    "What happens to times that have passed while nothing could run: they are left out (`skip`, as when left out), one run is made for all of them (`run_once`), or one for each, the newest 10 at most (`run_all`).",
  "Trigger.status":
    "`active`; `paused`, by a request or by the platform; `completed`, once the one time of its schedule has come.",
  "Trigger.paused_reason": "Why it is paused; null while it is not.",
  "Trigger.upcoming_runs_at":
    "The next times of the schedule, five at most, also while it is paused. A run begins at its time or shortly after it, at most a tenth of the interval.",
  "Trigger.last_run_at": "When the newest run was made; null before the first one.",
  "Trigger.failures_in_row": "Runs that have failed since the last one that has not; 5 pause it.",
  "Trigger.missed_runs": "Times of the schedule that were left out because nothing could run.",
  "Trigger.created_by_key_id":
    "The API key or member that has made it. A key that is revoked with what it has made pauses its triggers.",
  "Trigger.permission.mode": "The mode of the sessions.",
  "Trigger.budget.max_tokens": "Tokens of each reply.",
  "Trigger.updated_at": "When it was last changed.",
  "Trigger.webhook.form":
    "The way in which the sender signs: `standard` (Standard Webhooks), `github`, `stripe` or `slack`.",
  "Trigger.webhook.secret":
    "The secret with which the sender signs. Left out in a request, the platform makes one; Stripe and Slack give their own.",
  "TriggerSecret.overlap_ms":
    "Milliseconds for which the old secret stays valid; 0 ends it at once.",
  "TriggerSecret.secret": "The sender's new secret; made by the platform when it is left out.",
  "TriggerPausedReason.type":
    "`manual` by a request; `error` after failures, or because the agent or the room was deleted; `key_revoked` with the key that has made it.",
  "TriggerPausedReason.error": "Of `error` alone: the failure.",
  "TriggerRun.trigger_id": "The trigger.",
  "TriggerRun.trigger_context":
    "What began it: a `schedule` with its listed time, a `webhook` with the sender's id and the hash of the payload, or `manual`.",
  "TriggerRun.status":
    "`pending` before its reply has begun, `running`, `waiting` for a person or an outside system, then `succeeded` when the reply, or the discussion of the room, has ended, `failed` with an `error`, or `skipped`.",
  "TriggerRun.skip_reason":
    "Why it was left out: `overlap` with an earlier run, or `queue_full`; null otherwise.",
  "TriggerRun.error": "Why it has failed; null otherwise.",
  "TriggerRun.session_id": "Its session; null before there is one, and in a room.",
  "TriggerRun.reply_id": "Its reply; null before it has begun, and in a room.",
  "TriggerRun.room_id": "The room of its trigger; null for a trigger of an agent.",
  "TriggerRun.message_id":
    "What it has said in the room; null before, and for a trigger of an agent.",
  "TriggerRun.started_at":
    "When its reply began, or its message was said in the room; null before.",
  "TriggerRun.ended_at": "When it ended; null before.",
  "TriggerRun.payload":
    "In place of a webhook's payload, for the template of the input, and for pointers.",
  "TriggerRunError.type":
    "What has failed: the agent, its version, its credential or the room was deleted; the end user was erased; a quota had no room for an hour (`quota_exceeded`); the reply, or every turn of the discussion, has failed (`reply_failed`), was interrupted or has used up its rounds; the time of the discussion was over (`discussion_timeout`); the session was deleted, or it or the room has refused the input; or the platform (`internal`).",
  "TriggerRunError.message": "A sentence about it.",
  "TriggerChallenge.challenge": "The challenge of a sender, as it came.",
  "TriggerReceipt.trigger_run_id": "The run that the delivery has begun.",
  "TriggerReceipt.applied":
    "False for a delivery whose id was taken before: the run is the one that it has begun then.",
} as const;
