// MCP servers in the tenancy suite. What the owner's server lists is kept; the server itself does not answer.
import type { CONNECTION_ROUTES } from "../../protocol/mcp/connection-routes.ts";
import type { MCP_ROUTES } from "../../protocol/mcp/routes.ts";
import type { Place, Row } from "./row.ts";

/** Before everything that any tenant has. */
const newest: Place = {
  where: "query page",
  id: () => btoa(`mcp_${"z".repeat(26)}`).replaceAll("=", ""),
  query: (page) => `page=${page}`,
  refused: 200,
};
const url = "https://tool.example/mcp";

export const MCP_ROWS = {
  createMcpServer: {
    answers: 201,
    body: ({ word }) => ({ name: `new-${word.slice(0, 16)}`, url: `https://${word}.example/` }),
    places: [
      {
        where: "body credential_id",
        id: ({ ids }) => ids.credential_id,
        body: (credential_id) => ({ name: "a", url, credential_id }),
        refused: 400,
      },
      {
        where: "body secret_headers",
        id: ({ ids }) => ids.credential_id,
        body: (id) => ({ name: "a", url, secret_headers: { "X-Api-Key": id } }),
        refused: 400,
      },
    ],
  },
  listMcpServers: { answers: 200, places: [newest] },
  readMcpServer: { answers: 200 },
  updateMcpServer: {
    answers: 200,
    body: ({ word }) => ({ url: `https://new.${word}.example/` }),
    places: [
      {
        where: "body credential_id",
        id: ({ ids }) => ids.credential_id,
        body: (credential_id) => ({ url, credential_id }),
        refused: 400,
      },
    ],
  },
  listMcpTools: { answers: 200 },
  /** The catalogue is kept, and the server is not there. */
  callMcpTool: { answers: 502, isSilent: true, body: () => ({ input: {} }) },
  deleteMcpServer: { answers: 204, isSilent: true },
} as const satisfies Record<(typeof MCP_ROUTES)[number]["name"], Row>;

export const CONNECTION_ROWS = {
  showSignIn: { answers: 404, isSilent: true },
  showIssuerSignIn: { answers: 404, isSilent: true },
  listConnections: {
    answers: 200,
    places: [
      {
        where: "query page",
        id: () => btoa(`con_${"z".repeat(26)}`).replaceAll("=", ""),
        query: (page) => `page=${page}`,
        refused: 200,
      },
      {
        where: "query mcp_server_id",
        id: ({ ids }) => ids.mcp_server_id,
        query: (id) => `mcp_server_id=${id}`,
        refused: 200,
      },
      {
        where: "query end_user_id",
        id: ({ end_user_id }) => end_user_id,
        query: (id) => `end_user_id=${encodeURIComponent(id)}`,
        refused: 200,
      },
    ],
  },
  readConnection: { answers: 200 },
  /** The sign-in is not done yet. */
  completeConnection: { answers: 409, isSilent: true, body: () => ({ code: "sc_1" }) },
  deleteConnection: { answers: 204, isSilent: true },
} as const satisfies Record<(typeof CONNECTION_ROUTES)[number]["name"], Row>;
