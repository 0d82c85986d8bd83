// Words of fields that the schemas of this room have.
export const MEMORY_WORDS = {
  "Agent.memory":
    "What the agent remembers from one conversation to the next; null for nothing, as when left out. `mode`: who reads and writes memories: the agent, with its tools (`agent_control`, as when left out); the platform, before and after each reply (`static_control`); or `both`. `scope`: whose memories they are: those of one end user (`end_user`, as when left out), or those that all end users of the agent share (`agent`), which only API keys write. `retrieve_limit`: memories that one search gives at most; 5 when left out. `embedding`: an OpenAI-compatible endpoint for embeddings, by which memories are found by what they mean, too.",
  "Embedding.name": "The name of the model that makes the embeddings.",
  "Embedding.base_url":
    "The address below which `/embeddings` is asked; that of OpenAI when left out.",
  "Embedding.credential_id":
    "A credential of the type `model`, sent as a bearer token; none when left out.",
  "Embedding.dimensions":
    "The size of the vectors that the endpoint is asked for; the model's own when left out.",
  "Embedding.min_similarity":
    "The cosine of two vectors from which on a memory is found by what it means, so that a search for something else finds nothing; 0.3 when left out. Some models give all texts 0.7 and more: set it higher for these.",
  "MemoryStore.agent_id": "The agent.",
  "MemoryStore.end_user_id":
    "The end user; null for the store that all end users of the agent share. In a request, left out is null.",
  "MemoryStore.memories": "The number of its memories.",
  "MemoryStore.bytes": "Its size, which counts in the quota `stored_bytes`.",
  "MemoryStore.updated_at": "When something in it was last written.",
  "Memory.store_id": "The store.",
  "Memory.memory_id": "The memory.",
  "Memory.path":
    "A place in the store, such as `profile/city`, where there is one memory at a time; null for none.",
  "Memory.content": "What is remembered; of a redacted version null.",
  "Memory.content_sha256":
    "`sha256:` and 64 hex digits over the UTF-8 bytes of the content; of a redacted version null.",
  "Memory.source":
    "The conversation that it is from; null where an API key or an end user has written it.",
  "Memory.untrusted":
    "The call whose untrusted result was in the context when it was made; null for a trusted one.",
  "Memory.version": "The number of the version; a correction or a contradiction adds one.",
  "Memory.version_id": "The id of this version.",
  "Memory.supersedes": "The version that this one took the place of; null for the first one.",
  "Memory.operation":
    "What made it: `recorded` for the first version, `corrected` by a person or a key, `superseded` by a memory that says otherwise, `consolidated` by a consolidation.",
  "Memory.merged_into":
    "Of a memory that a consolidation has taken into another one, that one; null for all others.",
  "Memory.updated_at": "When this version was made.",
  "Memory.redacted_at": "When its content was taken away; null when it was not.",
  "MemorySource.session_id": "The session.",
  "MemorySource.reply_id": "The reply.",
  "MemorySource.tool_call_id":
    "The call with which the agent recorded it; null for what the platform has recorded after a reply.",
  "FoundMemories.note":
    "Of a search, a sentence about what was not found or not possible; null otherwise.",
  "RedactedMemory.memory_id": "The memory.",
  "RedactedMemory.version_ids":
    "All its versions, and those of the memories that were taken into it.",
  "RedactedMemory.redacted_at": "When its content was taken away.",
  "MemoryConsolidation.store_id": "The store.",
  "MemoryConsolidation.status":
    "`queued` until its first batch, `running`, then `completed`, `failed` with an `error`, or `cancelled`.",
  "MemoryConsolidation.model":
    "The name of the model: one of the agent's. In a request, left out is the agent's `model`.",
  "MemoryConsolidation.instructions":
    "What the model is told beside the platform's own words, such as what is to be kept apart; null for nothing.",
  "MemoryConsolidation.max_tokens":
    "Tokens of all its model calls, input and output, after which it ends as `failed`; null for no bound of its own.",
  "MemoryConsolidation.memories": "Memories that the store had when it began.",
  "MemoryConsolidation.read": "Memories that it has gone over.",
  "MemoryConsolidation.written": "New versions that it has written.",
  "MemoryConsolidation.superseded": "Memories that were taken into another one.",
  "MemoryConsolidation.skipped":
    "Changes that the model has proposed and that were not made: against a rule, or over what somebody has changed meanwhile.",
  "MemoryConsolidation.usage": "What its model calls have used; null before the first answer.",
  "MemoryConsolidation.cost_usd": "What they cost, in US dollars; null where a price is not known.",
  "MemoryConsolidation.error": "Why it has failed; null otherwise.",
  "MemoryConsolidation.started_at": "When its first batch began; null while it is queued.",
  "MemoryConsolidation.ended_at": "When it ended; null before.",
  "MemoryConsolidationError.code":
    "What has failed: the model (`model_failed`, `model_timed_out`), its answer (`answer_invalid`; `unknown_memory` names a memory that it was not shown), a hook that refused the request (`hook_refused`), a bound (`max_tokens`, `quota_exceeded`), an agent without that model (`model_gone`), or the platform (`internal`).",
  "MemoryConsolidationError.message": "A sentence about it.",
} as const;
