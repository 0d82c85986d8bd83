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
    "What made it: `recorded` for the first version, `corrected` by a person or a key, `superseded` by a memory that says otherwise.",
  "Memory.updated_at": "When this version was made.",
  "Memory.redacted_at": "When its content was taken away; null when it was not.",
  "MemorySource.session_id": "The session.",
  "MemorySource.reply_id": "The reply.",
  "MemorySource.tool_call_id":
    "The call with which the agent recorded it; null for what the platform has recorded after a reply.",
  "FoundMemories.note":
    "Of a search, a sentence about what was not found or not possible; null otherwise.",
  "RedactedMemory.memory_id": "The memory.",
  "RedactedMemory.version_ids": "All its versions.",
  "RedactedMemory.redacted_at": "When its content was taken away.",
} as const;
