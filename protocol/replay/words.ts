// Words of fields that the schemas of this room have.
export const REPLAY_WORDS = {
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
  "ReplayedReply.recorded.text": "The text of the answer; cut where it is long.",
  "ReplayedReply.recorded.text_truncated": "Whether it is cut here.",
  "ReplayedReply.recorded.structured_output": "The structured output, or null.",
  "ReplayedReply.recorded.model_calls": "Model calls.",
  "ReplayedReply.recorded.usage": "Tokens, or null when no model was called.",
  "ReplayedReply.recorded.cost_usd":
    "US dollars by the vendors' list prices; null when a part is not known.",
  "ReplayedReply.recorded.error": "Why it failed, or null.",
  "ReplayedReply.replayed.text": "The text of the answer; cut where it is long.",
  "ReplayedReply.replayed.text_truncated": "Whether it is cut here.",
  "ReplayedReply.replayed.structured_output": "The structured output, or null.",
  "ReplayedReply.replayed.model_calls": "Model calls.",
  "ReplayedReply.replayed.usage": "Tokens, or null when no model was called.",
  "ReplayedReply.replayed.cost_usd":
    "US dollars by the vendors' list prices; null when a part is not known.",
  "ReplayedReply.replayed.error": "Why it failed, or null.",
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
} as const;
