import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const { API_KEY = "", AGENT_ID = "", BASE_URL = "http://localhost:8787" } = process.env;
const capabilities = { elicitation: { form: {} } };
const client = new Client(
  { name: "my-host", version: "1.0.0" },
  { versionNegotiation: { mode: "auto" }, capabilities },
);
// A person would decide here. `message` says which call waits, and with which input.
client.setRequestHandler("elicitation/create", async ({ params }) => {
  const isResult = "requestedSchema" in params && "output" in params.requestedSchema.properties;
  const content: Record<string, string> = isResult
    ? { output: "RETURN-7741" }
    : { decision: "approve" };
  return { action: "accept", content };
});
const url = new URL(`${BASE_URL}/v1/agents/${AGENT_ID}/mcp`);
const requestInit = { headers: { Authorization: `Bearer ${API_KEY}` } };
await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));

const { tools } = await client.listTools();
const ask = tools.find(({ name }) => name.startsWith("ask_"));
const result = await client.callTool(
  { name: ask?.name ?? "", arguments: { message: "I want my money back for A-1001." } },
  { onprogress: ({ message }) => process.stdout.write(`${message}\n`) },
);
console.log(result.content, result.structuredContent);
await client.close();
