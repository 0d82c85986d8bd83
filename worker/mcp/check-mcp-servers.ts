import type { AgentUpdate } from "../../protocol/agents/contract.ts";
import type { McpServerDefinition } from "../../protocol/mcp/contract.ts";
import { egressRules, type EgressBindings } from "../../outgoing/egress-rules.ts";
import { findRefusal } from "../../outgoing/outgoing.ts";
import type { CredentialStorage } from "../../storage/credentials/credential-storage.ts";
import { mcpCredentialIds } from "../../storage/mcp/mcp-credential-ids.ts";
import type { McpServerStorage } from "../../storage/mcp/mcp-server-storage.ts";
import { HttpError } from "../http-error.ts";
import { findCredentialProblem } from "../requests/check-credentials.ts";

/** Refuses an agent that names an MCP server that its tenant lacks. Checks only the members that a change sets. */
export async function checkMcpServers(
  { tools = [] }: Pick<AgentUpdate, "tools">,
  servers: McpServerStorage,
): Promise<void> {
  const ids = tools.flatMap((tool) => (tool.type === "mcp" ? [tool.server_id] : []));
  const known = await servers.findIds(ids);
  const errors = tools.flatMap((tool, index) =>
    tool.type === "mcp" && !known.has(tool.server_id)
      ? [{ pointer: `#/tools/${index}/server_id`, detail: "there is no such MCP server" }]
      : [],
  );
  if (errors.length === 0) return;
  const detail = "the agent names MCP servers that do not exist; `errors` says where";
  throw new HttpError("validation_failed", detail, { errors });
}

/** Refuses a server whose address the egress guard would refuse, or whose credentials may not be sent there. */
export async function checkMcpServer(
  server: McpServerDefinition,
  credentials: CredentialStorage,
  env: EgressBindings,
): Promise<void> {
  const refusal = findRefusal(server.url, egressRules(env));
  const uses = await credentials.findUses(mcpCredentialIds(server));
  const named = [
    ...Object.entries(server.secret_headers ?? {}).map(([header, id]) => ({
      id,
      pointer: `#/secret_headers/${encodeURIComponent(header.replaceAll("~", "~0"))}`,
    })),
    ...(server.credential_id === undefined
      ? []
      : [{ id: server.credential_id, pointer: "#/credential_id" }]),
  ];
  const { oauth } = server;
  const issuerRefusal = oauth?.issuer && findRefusal(oauth.issuer, egressRules(env));
  const clientSecret = oauth?.client_credential_id;
  // The credential's hosts are checked with the address of the token endpoint, which is not known yet.
  const secretProblem =
    clientSecret !== undefined && uses.get(clientSecret)?.type !== "tool"
      ? "there is no such credential of type tool"
      : null;
  const errors = [
    ...(refusal === null ? [] : [{ pointer: "#/url", detail: refusal }]),
    ...(issuerRefusal ? [{ pointer: "#/oauth/issuer", detail: issuerRefusal }] : []),
    ...(secretProblem === null
      ? []
      : [{ pointer: "#/oauth/client_credential_id", detail: secretProblem }]),
    ...named.flatMap(({ id, pointer }) => {
      const use = { type: "tool", address: server.url } as const;
      const detail = findCredentialProblem(use, uses.get(id));
      return detail === null ? [] : [{ pointer, detail }];
    }),
  ];
  if (errors.length === 0) return;
  const detail = "the server cannot be asked like this; `errors` says why";
  throw new HttpError("validation_failed", detail, { errors });
}
