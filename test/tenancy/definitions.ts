// Definitions of a tenant's own things, with its word in each of their texts.

/** The tools of the tenant's MCP server, as it has listed them a moment ago. */
export function catalogueOf(word: string) {
  const nowMs = Date.now();
  return {
    type: "read",
    dialect: { era: "modern", version: "2026-07-28" },
    tools: [
      {
        name: `tool-${word}`,
        description: `Tool ${word}-server`,
        input_schema: { type: "object" },
        annotations: {},
        disabled_reason: null,
      },
    ],
    readAtMs: nowMs,
    // Longer than the slowest machine takes for all of it.
    expiresAtMs: nowMs + 3_600_000,
  } as const;
}

/** Its hosts are those of the tools and models that the rows name. */
export function credential(type: "model" | "tool", word: string) {
  const allowed_hosts = ["api.openai.com", "tool.example", `${word}.example`];
  return { name: `Credential ${word}-credential`, type, secret: `secret-${word}`, allowed_hosts };
}

export function agentOf(word: string, credential_id: string, skill_id: string) {
  const tool = {
    type: "http",
    name: word,
    description: `Tool ${word}-agent`,
    url: `https://${word}.example/`,
    headers: { "X-Word": `${word}-agent` },
    credential_id,
  };
  return {
    name: `Agent ${word}-agent`,
    system_prompt: `You are ${word}-agent`,
    tools: [tool],
    plan: {},
    memory: {},
    skills: [skill_id],
    tool_groups: [
      { name: `group-${word}`, description: `Group ${word}-agent`, notes: `${word}-agent` },
    ],
    meta_tool: true,
    a2a: { enabled: true, description: `Desk ${word}-agent` },
    metadata: { word: `${word}-agent` },
  };
}
