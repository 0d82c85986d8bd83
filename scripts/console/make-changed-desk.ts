import { readString, type Answer, type LocalApi } from "../local-api.ts";
import { refundDeskAgent } from "../refund-desk-agent.ts";

export interface ChangedDesk {
  readonly agentId: string;
  /** The session whose two replies are recorded on version 1. */
  readonly sessionId: string;
}

const rule = (tool_name: string, behavior: "allow" | "ask") =>
  ({ tool_name, behavior, rule_content: null, source: "agent" }) as const;

/**
 * A refund desk with a session in which a person approved a refund, and a second version that asks about looking an order
 * up in place of refunding it.
 */
export async function makeChangedDesk(api: LocalApi, toolsPort: number): Promise<ChangedDesk> {
  const desk = { ...refundDeskAgent(toolsPort), name: "Refund desk, tried out" };
  const agentId = readString(await api.call("POST", "/v1/agents", desk), "id");
  const session = await api.call("POST", "/v1/sessions", {
    agent_id: agentId,
    end_user_id: "frida",
  });
  const sessionId = readString(session, "id");
  const replies = `/v1/sessions/${sessionId}/replies`;
  await api.call("POST", replies, { input: "Where is my order A-1002?" });
  const asked = await api.call("POST", replies, { input: "Please refund order A-1002." });
  const [refund] = pendingIn(asked);
  if (!refund) throw new Error("the refund does not ask");
  const { id } = refund.tool_call;
  await post(api, sessionId, {
    type: "USER_CONFIRM_RESULT",
    reply_id: readString(asked, "id"),
    metadata: { input_hashes: { [id]: refund.input_hash } },
    confirm_results: [{ confirmed: true, tool_call: { id } }],
  });
  await finish(api, sessionId);
  const rules = [rule("refund_order", "allow"), rule("lookup_order", "ask")];
  await api.call("PATCH", `/v1/agents/${agentId}`, { permission: { mode: "default", rules } });
  return { agentId, sessionId };
}

interface Pending {
  readonly tool_call: { readonly id: string };
  readonly input_hash: string | null;
}

function pendingIn({ body }: Answer): readonly Pending[] {
  return (body?.["pending"] ?? []) as readonly Pending[];
}

async function post(api: LocalApi, sessionId: string, event: object): Promise<void> {
  const answer = await api.call("POST", `/v1/sessions/${sessionId}/events`, event);
  if (answer.status >= 400) throw new Error(`the answer is refused: ${JSON.stringify(answer)}`);
}

const LOOK_MS = 200;

/** Until its reply has ended. The label of the way back is the shop's to print: it is given as soon as it is asked for. */
async function finish(api: LocalApi, sessionId: string): Promise<void> {
  const session = await api.call("GET", `/v1/sessions/${sessionId}`);
  const status = readString(session, "status");
  if (status === "idle") return;
  if (status === "awaiting_external_result") {
    const results = pendingIn(session).map(({ tool_call: { id } }) => ({
      id,
      output: "RETURN-7741",
    }));
    await post(api, sessionId, {
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: readString(session, "reply_id"),
      execution_results: results,
    });
  }
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await finish(api, sessionId);
}
