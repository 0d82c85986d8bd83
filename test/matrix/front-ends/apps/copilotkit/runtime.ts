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

/** Opens a conversation of the person that you know by this id. @returns its id, which is the thread's. */
export async function openThread(endUserId: string): Promise<string> {
  const session = await post("sessions", { agent_id: AGENT_ID, end_user_id: endUserId });
  return String(session["id"]);
}

/** The code that a person was shown at the end of a sign-in, with the thread that waits for it. */
export interface SignInCode {
  readonly threadId: string;
  readonly connectionId: string;
  readonly code: string;
}

/**
 * Finishes a sign-in at an MCP server. With a token of the thread, and not with the key: the platform then takes the code
 * only where the sign-in is that of the thread's own person.
 */
export async function finishSignIn({ threadId, connectionId, code }: SignInCode): Promise<void> {
  const { token } = await post(`sessions/${threadId}/tokens`, { verbs: ["tool_result"] });
  const ofThread = { Authorization: `Bearer ${token}` };
  await post(`connections/${connectionId}/complete`, { code }, ofThread);
}

async function post(path: string, body: object, credential = headers) {
  const response = await fetch(`${REPRISE_URL}/v1/${path}`, {
    method: "POST",
    headers: { ...credential, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(String(answer["detail"]));
  return answer;
}
