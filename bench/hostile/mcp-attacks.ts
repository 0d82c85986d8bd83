// Attacks by an MCP server that the attacker has registered.
import { readString } from "../../scripts/local-api.ts";
import type { Attack } from "./attack.ts";
import type { McpWay } from "./hostile-mcp-server.ts";

export const MCP_ATTACKS: readonly Attack[] = [
  server("catalogue", "an MCP server with ten thousand tools"),
  server("progress", "an MCP server that tells its progress 200,000 times"),
  server("answer", "an MCP server that answers with 100 MB"),
];

/** A reply of an agent that has this server's tools, and calls one. */
function server(way: McpWay, name: string): Attack {
  return {
    name,
    async prepare({ attacker, mcpUrlOf }) {
      // Each round has a server of its own: a catalogue is kept.
      const made = await attacker.api.call("POST", "/v1/mcp-servers", {
        name: `s${crypto.randomUUID().slice(0, 8)}`,
        url: mcpUrlOf(way),
      });
      const tool = {
        type: "mcp",
        server_id: readString(made, "id"),
        permissions: { "*": "allow" },
      };
      const session = await attacker.openSession({ tools: [tool] });
      const body = JSON.stringify({
        input: `/call mcp__${readString(made, "name")}__act {}\n/say done`,
      });
      return async () => void (await attacker.send("POST", `${session}/replies`, body));
    },
  };
}
