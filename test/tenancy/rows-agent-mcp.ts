// Rows for clients of MCP, whose calls name their session in the arguments of a tool, and for token issuers.
import type { Place, Row } from "./row.ts";

/** Before everything that any tenant has. */
const newest: Place = {
  where: "query page",
  id: () => btoa(`tki_${"z".repeat(26)}`).replaceAll("=", ""),
  query: (page) => `page=${page}`,
  refused: 200,
};

const issuer = (word: string) => ({
  name: word,
  issuer: "https://login.example",
  jwks_url: "https://login.example/keys",
});

export const AGENT_MCP_ROWS = {
  /** The list of tools names the agent. Another tenant's session in a call: test/conformance/agent-mcp/agent-mcp-end-users.test.ts. */
  callAgentMcp: {
    answers: 200,
    body: () => ({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  },
  /** Without a frame's id there is no stream. */
  resumeAgentMcp: { answers: 405, isSilent: true },
  /** Public: it names the tenant's issuers, by which clients sign in. */
  readResourceMetadata: { answers: 200, isSilent: true },

  createTokenIssuer: { answers: 201, body: ({ word }) => issuer(word) },
  listTokenIssuers: { answers: 200, places: [newest] },
  readTokenIssuer: { answers: 200 },
  deleteTokenIssuer: { answers: 204, isSilent: true },
} as const satisfies Readonly<Record<string, Row>>;
