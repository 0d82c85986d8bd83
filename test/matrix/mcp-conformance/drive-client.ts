// The command that the conformance suite starts as "the client": tells the platform of the suite's server, and uses the
// server's tools through it: each alone, or an agent in a conversation, where a person signs in or answers. Its last
// parameter is the server's address; the scenario, and what it wants called, are in variables of the suite, the
// platform's address and key in ours.
import { openConversation } from "./drive-person.ts";
import { ask } from "./platform-door.ts";

const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: context = "{}" } =
  process.env;

type Input = Readonly<Record<string, unknown>>;

interface Tool {
  readonly name: string;
  readonly input_schema: object;
  readonly disabled_reason: string | null;
}

/** Calls that a scenario wants, when its context does not say. */
const CALLS: Readonly<Record<string, (tools: readonly Tool[]) => readonly Call[]>> = {
  tools_call: () => [{ name: "add_numbers", arguments: { a: 2, b: 3 } }],
  "http-standard-headers": (tools) => tools.map(({ name }) => ({ name, arguments: {} })),
  "sse-retry": () => [{ name: "test_reconnection", arguments: {} }],
  "http-invalid-tool-headers": (tools) =>
    tools.map(({ name }) => ({ name, arguments: { region: "eu", value: "x" } })),
  // The schema of one tool is handed to another one, which looks for what was lost.
  "json-schema-2020-12-preservation": (tools) => [
    {
      name: "json_schema_echo",
      arguments: {
        schema: tools.find(({ name }) => name === "json_schema_2020_12_tool")?.input_schema,
      },
    },
  ],
};

interface Call {
  readonly name: string;
  readonly arguments: Input;
}

/** Scenarios in which a person answers: what an agent is told to call, one conversation after another. */
const ANSWERED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "elicitation-sep1034-client-defaults": [["test_client_elicitation_defaults"]],
  // Another conversation calls its tool while the first one waits for its answer.
  "sep-2322-client-request-state": [
    ["test_mrtr_echo_state", "test_mrtr_no_state", "test_mrtr_no_result_type"],
    ["test_mrtr_unrelated"],
  ],
};

interface Context {
  readonly toolCalls?: readonly Call[];
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly issuer?: string;
}

const name = `conf-${crypto.randomUUID().slice(0, 8)}`;
const url = process.argv.at(-1) ?? "";
const { toolCalls, ...client } = JSON.parse(context) as Context;
const isOfClient = scenario.startsWith("auth/client-credentials");
const oauth = scenario.startsWith("auth/") && (await describeSignIn());
const { id } = await ask<{ id: string }>("POST", "/mcp-servers", {
  name,
  url,
  ...(oauth && { oauth }),
});
if (oauth && !isOfClient) await converse([["sign_in", "test-tool"]]);
else if (ANSWERED[scenario]) await converse(ANSWERED[scenario]);
else await callAlone();

/** Each tool alone, by no agent. */
async function callAlone(): Promise<void> {
  const { data } = await ask<{ data: readonly Tool[] }>("GET", `/mcp-servers/${id}/tools`);
  const tools = data.filter(({ disabled_reason }) => disabled_reason === null);
  for (const call of toolCalls ?? CALLS[scenario]?.(tools) ?? []) {
    // A member that is null there is to be left out: the schema of the tool has no null.
    const input = Object.fromEntries(
      Object.entries(call.arguments).filter(([, value]) => value !== null),
    );
    await ask("POST", `/mcp-servers/${id}/tools/${call.name}/call`, { input });
  }
}

/** Each conversation is begun before the first one is finished. @throws When a tool has not done its work. */
async function converse(conversations: readonly (readonly string[])[]): Promise<void> {
  const begun = [];
  for (const calls of conversations) {
    const lines = calls.map((tool) => `/call mcp__${name}__${tool} {}`);
    const conversation = await openConversation(id);
    begun.push({
      conversation,
      reply: await conversation.say([...lines, "/say Done."].join("\n")),
    });
  }
  for (const { conversation, reply } of begun) await conversation.finish(reply);
}

/** The sign-in that the scenario wants: a client that it names, or one that the platform registers. */
async function describeSignIn(): Promise<object> {
  const who = isOfClient
    ? { grant: "client_credentials" }
    : { grant: "authorization_code", owner: "end_user" };
  const { client_id, client_secret: secret } = client;
  if (client_id === undefined || secret === undefined) return who;
  const issuer = client.issuer ?? (await readIssuer());
  const allowed_hosts = [new URL(issuer).host];
  const body = { name: "Client", type: "tool", secret, allowed_hosts };
  const credential = await ask<{ id: string }>("POST", "/credentials", body);
  return { ...who, issuer, client_id, client_credential_id: credential.id };
}

/** The platform sends a client's secret to no issuer that it was not told: found as a tenant would. */
async function readIssuer(): Promise<string> {
  const { origin, pathname } = new URL(url);
  const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const found = (await metadata.json()) as { readonly authorization_servers: readonly string[] };
  return found.authorization_servers[0] ?? "";
}
