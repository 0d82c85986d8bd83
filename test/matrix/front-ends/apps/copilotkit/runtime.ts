import { HttpAgent } from "@ag-ui/client";
import { CopilotRuntime } from "@copilotkit/runtime/v2";
import { createCopilotNodeListener } from "@copilotkit/runtime/v2/node";

import { resumingFetch } from "../resuming-fetch.ts";

const { REPRISE_URL = "http://localhost:8787", API_KEY = "", AGENT_ID = "" } = process.env;
const headers = { Authorization: `Bearer ${API_KEY}` };

/** The stop button ends the reply on the platform; HttpAgent alone would only stop reading it. */
class RepriseAgent extends HttpAgent {
  override abortRun(): void {
    const url = `${REPRISE_URL}/v1/sessions/${this.threadId}/interrupt`;
    void fetch(url, { method: "POST", headers }).finally(() => super.abortRun());
  }
}

const url = `${REPRISE_URL}/v1/agents/${AGENT_ID}/ag-ui`;
const agent = new RepriseAgent({ url, headers, fetch: resumingFetch });

/** For `createServer` of `node:http`. */
export const copilotKit = createCopilotNodeListener({
  runtime: new CopilotRuntime({ agents: { default: agent } }),
  basePath: "/api/copilotkit",
});

/** Opens a conversation. @returns its id, which is the thread's. */
export async function openThread(): Promise<string> {
  const response = await fetch(`${REPRISE_URL}/v1/sessions`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ agent_id: AGENT_ID }),
  });
  if (!response.ok) throw new Error(await response.text());
  return ((await response.json()) as { id: string }).id;
}
