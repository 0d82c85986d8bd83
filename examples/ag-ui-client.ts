import { buildResumeArray, HttpAgent } from "@ag-ui/client";

const { API_KEY = "", AGENT_ID = "", BASE_URL = "http://localhost:8787" } = process.env;
const agent = new HttpAgent({
  url: `${BASE_URL}/v1/agents/${AGENT_ID}/ag-ui`,
  headers: { Authorization: `Bearer ${API_KEY}` },
  threadId: crypto.randomUUID(),
});

const question = "I want my money back for A-1001.";
agent.addMessage({ id: crypto.randomUUID(), role: "user", content: question });
await agent.runAgent();

while (agent.pendingInterrupts.length > 0) {
  const answers = agent.pendingInterrupts.map(({ id, reason }) => {
    // Confirms the refund, and supplies the label's number as the shop's system would.
    const payload = reason === "tool_call" ? { approved: true } : "RETURN-7741";
    return [id, { status: "resolved" as const, payload }];
  });
  const resume = buildResumeArray(agent.pendingInterrupts, Object.fromEntries(answers));
  await agent.runAgent({ resume });
}
console.log(agent.messages.at(-1)?.content);

// The scripted model makes the calls of a script.
const script = '/call open_page {"page":"returns"}\n/say There you are.';
agent.addMessage({ id: crypto.randomUUID(), role: "user", content: script });
const tools = [{ name: "open_page", description: "Opens a page of the shop.", parameters: {} }];
await agent.runAgent({ tools });

const call = agent.messages
  .flatMap((message) => (message.role === "assistant" ? (message.toolCalls ?? []) : []))
  .findLast(({ function: { name } }) => name === "open_page");
const content = `The page is open: ${call?.function.arguments}`;
agent.addMessage({ id: crypto.randomUUID(), role: "tool", toolCallId: call?.id ?? "", content });
await agent.runAgent({ tools });
console.log(agent.messages.at(-1)?.content);
