// Rows for what is done with a session's conversation as a whole.
import type { Row } from "./row.ts";

const HOOK = {
  type: "http",
  name: "desk",
  point: "post_reply",
  url: "https://tool.example/hook",
};

export const CONVERSATION_ROWS = {
  observe: { answers: 201, body: ({ word }) => ({ messages: `By the way, ${word}` }) },
  forkSession: {
    answers: 201,
    body: ({ word }) => ({ metadata: { word } }),
    places: [
      {
        where: "body at",
        id: ({ ids }) => ids.message_id,
        body: (at) => ({ at }),
        refused: 404,
      },
    ],
  },
  readState: { answers: 200 },
  readContext: { answers: 200 },
  // A short conversation has nothing to summarise.
  compress: { answers: 200, isSilent: true, body: () => ({}) },
  readHooks: { answers: 200 },
  writeHooks: {
    answers: 200,
    body: ({ word }) => ({ hooks: [{ ...HOOK, name: `of-${word}` }] }),
    places: [
      {
        where: "body signing_credential_id",
        id: ({ ids }) => ids.credential_id,
        body: (signing_credential_id) => ({ hooks: [{ ...HOOK, signing_credential_id }] }),
        refused: 400,
      },
    ],
  },
  readSharedState: { answers: 200 },
  patchSharedState: {
    answers: 200,
    body: ({ word }) => [{ op: "add", path: "/word", value: word }],
  },
  readPlan: { answers: 200 },
  writePlan: {
    answers: 200,
    body: ({ word }) => ({ plan: { name: word, subtasks: [{ name: word }] } }),
  },
  readToolGroups: { answers: 200 },
  readSessionMcpResource: {
    // The session's agent names no MCP server.
    answers: 404,
    isSilent: true,
    query: ({ ids }) => `server_id=${ids.mcp_server_id}&uri=ui://wh/order`,
    places: [
      {
        where: "query server_id",
        id: ({ ids }) => ids.mcp_server_id,
        query: (server_id) => `server_id=${server_id}&uri=ui://wh/order`,
        refused: 404,
      },
    ],
  },
  writeToolGroups: {
    answers: 200,
    body: ({ word }) => ({
      groups: [{ name: `group-${word}`, switched: "on" }],
      tools: [{ name: word, switched: "off" }],
    }),
  },
  // State that the session holds already may be brought in again.
  writeState: { answers: 200, body: ({ state }) => state },
} as const satisfies Readonly<Record<string, Row>>;
