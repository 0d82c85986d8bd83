// Words of fields that the schemas of this room have.
export const MEMORY_WORDS = {
  "Agent.memory":
    "What the agent remembers from one conversation to the next; null for nothing, as when left out.",
  "Agent.memory.mode":
    "Who reads and writes memories: the agent, with its tools (`agent_control`, as when left out); the platform, before and after each reply (`static_control`); or `both`.",
  "Agent.memory.scope":
    "Whose memories they are: those of one end user (`end_user`, as when left out), or those that all end users of the agent share (`agent`), which only API keys write.",
  "Agent.memory.retrieve_limit": "Memories that one search gives at most. 5 when left out.",
  "Agent.memory.embedding":
    "An OpenAI-compatible endpoint for embeddings, by which memories are found by what they mean, too. By their words alone when left out.",
  "Embedding.name": "The name of the model that makes the embeddings.",
  "Embedding.base_url":
    "The address below which `/embeddings` is asked; that of OpenAI when left out.",
  "Embedding.credential_id":
    "A credential of the type `model`, sent as a bearer token; none when left out.",
  "Embedding.dimensions":
    "The size of the vectors that the endpoint is asked for; the model's own when left out.",
} as const;
