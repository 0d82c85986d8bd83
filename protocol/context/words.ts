// Words of fields that the schemas of this room have.
export const CONTEXT_WORDS = {
  "Compress.instructions": "What the summary should attend to.",
  "Compress.on_busy": "What to do while a reply runs or waits.",
  "Compression.status":
    "`queued`: it is made after the open reply, or takes long; `nothing`: there was nothing to summarise.",
  "Compression.summary_id": "The summary's id, also of one that is queued, or null.",
  "Compression.compressed":
    "The summary; null while there is none, and for a key without `sessions:read`.",
  "CompressedContext.summary_id": "The summary's id.",
  "CompressedContext.summary": "The text that the model is sent in place of the messages.",
  "CompressedContext.first_message_id": "The first message that it replaces.",
  "CompressedContext.last_message_id": "The last message that it replaces.",
  "CompressedContext.last_block_id":
    "The last block of that message that it replaces; null for the whole message.",
  "CompressedContext.request":
    "The user's words that the last message answers, when only its first turns are replaced: the model is still shown them.",
  "CompressedContext.tokens_before": "Tokens of the context before.",
  "CompressedContext.tokens_after": "Tokens of the context with the summary.",
  "CompressedContext.model": "The model that wrote it.",
  "CompressedContext.usage": "What it cost.",
  "CompressionFailure.failed_at": "When it failed.",
  "SessionContext.context_size": "Tokens of the model's window.",
  "SessionContext.soft_threshold":
    "Tokens above which the context is summarised when a reply has ended.",
  "SessionContext.hard_threshold":
    "Tokens above which it is summarised before the model is called.",
  "SessionContext.token_counter": "How tokens are counted.",
  "SessionContext.tokens":
    "Tokens in all, and an estimate for each part, which need not add up to what the provider has counted.",
  "SessionContext.tokens.total": "Tokens in all, as they are compared with the thresholds.",
  "SessionContext.tokens.system_prompt": "Tokens of the system prompt.",
  "SessionContext.tokens.tools": "Tokens of the tools.",
  "SessionContext.tokens.messages": "Tokens of the messages and hints.",
  "SessionContext.system_prompt": "The agent's system prompt.",
  "SessionContext.summary": "The summary that stands for older messages, or null.",
  "SessionContext.tools": "The tools that the model may call.",
  "SessionContext.tools.tokens": "Tokens of its declaration.",
  "SessionContext.hints": "The hints that the call would add behind the messages.",
  "SessionContext.hints.text": "Its text.",
  "SessionContext.hints.tokens": "Its tokens.",
  "SessionContext.messages": "The messages as the model sees them, oldest first.",
  "SessionContext.messages.message": "The message.",
  "SessionContext.messages.tokens": "Its tokens.",
  "SessionContext.compressing": "Whether a summary is due or being made.",
  "SessionContext.failure": "How the last summary between replies failed, or null.",
} as const;
