// Words of fields that the schemas of this room have.
export const BACKGROUND_WORDS = {
  "HttpTool.background_after_ms":
    "Milliseconds after which a call that has no answer yet is let go: its result is a note with a task's id, and the task's end begins a reply. Less than `timeout_ms`, which may be up to 900,000 then. Its server may also answer 202 and post the result. Never when left out.",
  "SessionTask.kind":
    "`mcp` for a call that waits for the task of an MCP server, `a2a` for one that waits for that of another system's agent, `background` for a call that was let go.",
  "SessionTask.reply_id": "The reply whose call it is.",
  "SessionTask.tool_call_id": "The call.",
  "SessionTask.tool_name": "The tool.",
  "SessionTask.status": "`failed` also when the outcome is unknown, or no result came in time.",
  "SessionTask.message":
    "The server's, or agent's, words about its task; why a background task has no result; else null.",
  "SessionTask.waits_for":
    "`request` while the tool's request is open, `callback` when the result will be posted; null for a task of a server or an agent.",
  "SessionTask.expires_at": "Until when there has to be a result.",
  "SessionTask.ended_at": "When it ended, or null.",
  "SessionTask.woken_reply_id": "The reply that its end has begun, or null.",
  "SessionTask.paused":
    "Tasks have begun 20 replies since the last message of a person: the end of this one begins a reply after the next message.",
  "SessionTaskList.data": "Tasks that work first, then newest first.",
  "TaskResult.output": "Text, or text and data blocks.",
  "TaskResult.state": "`error` for work that was done with a negative result.",
  "TaskResult.metadata":
    "Not shown to the model; becomes `metadata.result` of the message that begins the reply.",
  "TaskReceipt.task_id": "The task.",
  "TaskReceipt.applied": "False when the same result had been taken before.",
} as const;
