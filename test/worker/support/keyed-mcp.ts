// Requests to the routes of MCP servers and token issuers that take an Idempotency-Key, for `keyed-routes.ts`.
import type { McpServer } from "../../../protocol/mcp/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { TokenIssuer } from "../../../protocol/token-issuers/contract.ts";
import { ask, makeTenant } from "./api.ts";
import { makeMcpServer } from "./mcp-server.ts";

export const KEYED_MCP = {
  async createMcpServer() {
    const { call } = await makeTenant();
    return {
      path: "/v1/mcp-servers",
      call,
      json: { name: "wh", url: "https://mcp.example/" },
      other: { name: "wh", url: "https://other.example/" },
      count: async () =>
        (await ask<Page<McpServer>>("GET", "/v1/mcp-servers", call)).json.data.length,
    };
  },

  async createTokenIssuer() {
    const { call } = await makeTenant();
    const issuer = { issuer: "https://login.example", jwks_url: "https://login.example/keys" };
    return {
      path: "/v1/token-issuers",
      call,
      json: { name: "customers", ...issuer },
      other: { name: "staff", ...issuer },
      count: async () =>
        (await ask<Page<TokenIssuer>>("GET", "/v1/token-issuers", call)).json.data.length,
    };
  },

  async callMcpTool() {
    const { call } = await makeTenant();
    const made = await makeMcpServer(call);
    return {
      path: `/v1/mcp-servers/${made.server.id}/tools/act/call`,
      call,
      json: { input: { times: 1 } },
      other: { input: { times: 2 } },
      count: async () => (await made.calls()).filter((name) => name === "act").length,
    };
  },
};
