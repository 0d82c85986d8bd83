// A tenant whose refunds ask a person, with the three who may answer: a key, a client token, the address of a webhook.
import { inject } from "vitest";

import type { ClientToken } from "../../protocol/client-tokens/contract.ts";
import type { CreatedApiKey } from "../../protocol/keys/contract.ts";
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { PendingCall, Reply } from "../../protocol/replies/contract.ts";
import type { Problem } from "../../protocol/problem.ts";
import type { PermissionRule } from "../../protocol/messages/permission.ts";
import type { WebhookEventOf } from "../../protocol/webhooks/webhook-events.ts";
import { createAgent, createTenant, request, type Answer } from "./platform-client.ts";
import { echo, startToolServer, type ToolServer } from "./tool-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/** Parks a reply on one refund. */
const ASK_REFUND = '/call refund_order {"order_id":"A-1001"}\n/say Done.';
/** The order that no refund may be for. */
export const DENIED_ORDER = "B-2";

export type CallerKind = "API key" | "client token" | "callback";
export const CALLER_KINDS: readonly CallerKind[] = ["API key", "client token", "callback"];
/** Posts an event to the session. */
type Caller = (event: object) => Promise<Answer<Partial<EventReceipt & Problem>>>;

export interface ParkedRefund {
  readonly sessionId: string;
  readonly reply: Reply;
  readonly call: PendingCall;
  readonly caller: (kind: CallerKind) => Promise<Caller>;
}

export interface RefundOffice {
  /** With all scopes. */
  readonly key: string;
  /** `/refund_order` answers with its input. */
  readonly tools: ToolServer;
  readonly park: () => Promise<ParkedRefund>;
  readonly stop: () => Promise<void>;
}

export interface ConfirmationChanges {
  readonly confirmed?: boolean;
  /** Of the call's block. */
  readonly tool_call?: object;
  readonly rules?: readonly PermissionRule[];
  /** The call's own when left out; null for none. */
  readonly input_hash?: string | null;
}

/** A plain yes, but for what is changed. */
export function confirmation({ reply, call }: ParkedRefund, changes: ConfirmationChanges = {}) {
  const { confirmed = true, tool_call, rules, input_hash = call.input_hash } = changes;
  const { id } = call.tool_call;
  return {
    type: "USER_CONFIRM_RESULT",
    reply_id: reply.id,
    confirm_results: [{ confirmed, tool_call: { ...call.tool_call, ...tool_call }, rules }],
    metadata: input_hash === null ? {} : { input_hashes: { [id]: input_hash } },
  };
}

export async function openRefundOffice(): Promise<RefundOffice> {
  const [tools, receiver, tenant] = await Promise.all([
    startToolServer({ "/refund_order": echo }),
    startWebhookReceiver(),
    createTenant(),
  ]);
  const { key } = tenant;
  const webhook = {
    url: `${receiver.url}/office/200`,
    events: ["confirmation.required"],
    callback_verbs: ["confirm", "edit"],
  };
  await request("POST", "/v1/webhook-endpoints", { key, body: webhook });
  const refund = {
    type: "http",
    name: "refund_order",
    url: `${tools.url}/refund_order`,
    input_schema: { type: "object", properties: { order_id: { type: "string" } } },
    rule_argument: "/order_id",
  };
  const denial = { tool_name: "refund_order", rule_content: DENIED_ORDER, behavior: "deny" };
  const agent_id = await createAgent(key, {
    tools: [refund],
    permission: { rules: [{ ...denial, source: "agent" }] },
  });
  return {
    key,
    tools,
    park: () => park({ key, agent_id, receiver }),
    stop: async () => {
      await Promise.all([tools.stop(), receiver.stop()]);
    },
  };
}

interface Place {
  readonly key: string;
  readonly agent_id: string;
  readonly receiver: WebhookReceiver;
}

async function park({ key, agent_id, receiver }: Place): Promise<ParkedRefund> {
  const session = await request<{ id: string }>("POST", "/v1/sessions", {
    key,
    body: { agent_id },
  });
  const path = `/v1/sessions/${session.body.id}`;
  const body = { input: ASK_REFUND };
  const { body: reply } = await request<Reply>("POST", `${path}/replies`, { key, body });
  const [call] = reply.pending;
  if (!call) throw new Error(`nothing waits: the reply is ${reply.status}`);
  const post = (credential: string): Caller => {
    return (event) => request("POST", `${path}/events`, { key: credential, body: event });
  };
  return {
    sessionId: session.body.id,
    reply,
    call,
    async caller(kind) {
      if (kind === "API key") return post(await mintKey(key));
      if (kind === "client token") return post(await mintToken(key, path, ["confirm", "edit"]));
      const address = await readAddress(receiver, reply.id);
      return (event) => request("POST", address, { body: event });
    },
  };
}

/** A key that may confirm and nothing else: it writes no rules. */
async function mintKey(key: string): Promise<string> {
  const body = { scopes: ["confirmations:write"] };
  return (await request<CreatedApiKey>("POST", "/v1/api-keys", { key, body })).body.api_key;
}

/** @param path The session's. */
export async function mintToken(
  key: string,
  path: string,
  verbs: readonly string[],
): Promise<string> {
  const answer = await request<ClientToken>("POST", `${path}/tokens`, { key, body: { verbs } });
  return answer.body.token;
}

/** The path of the callback that was announced for this reply. */
async function readAddress(receiver: WebhookReceiver, replyId: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const messages = await receiver.waitFor("/office/200", count);
    const event = messages[count - 1]?.body as WebhookEventOf<"confirmation.required">;
    if (event.data.reply_id !== replyId) continue;
    const url = new URL(event.data.callback_url ?? "");
    if (url.origin !== new URL(inject("baseUrl")).origin)
      throw new Error(`${url.origin} is not us`);
    return url.pathname;
  }
}
