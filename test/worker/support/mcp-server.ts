// The MCP server that test/support/mcp/provide-mcp-server.ts starts, as a tenant has it.
import { inject } from "vitest";

import type { McpServer } from "../../../protocol/mcp/contract.ts";
import { ask, type Call } from "./api.ts";

// That file is of Node and not of this program.
declare module "vitest" {
  interface ProvidedContext {
    readonly mcpServersUrl: string;
  }
}

export interface TestMcpServer {
  readonly server: McpServer;
  /** The tools that were called, and `tools/list` for each look at its catalogue. */
  calls(): Promise<readonly string[]>;
  /** Lets the answers of its tool `large` end, now and later. */
  release(): Promise<void>;
}

/** A server of the test's own. @param kind What its word begins with, which says how it behaves. */
export async function makeMcpServer(
  call: Call,
  settings: object = {},
  kind = "",
): Promise<TestMcpServer> {
  const url = `${inject("mcpServersUrl")}/${kind}${crypto.randomUUID()}`;
  const { json: server } = await ask<McpServer>("POST", "/v1/mcp-servers", {
    ...call,
    json: { name: "wh", url: `${url}/mcp`, ...settings },
  });
  return {
    server,
    async calls() {
      const response = await fetch(`${url}/calls`);
      return await response.json<readonly string[]>();
    },
    async release() {
      await (await fetch(`${url}/release`)).arrayBuffer();
    },
  };
}
