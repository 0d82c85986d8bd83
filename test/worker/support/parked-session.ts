// A session whose reply waits for somebody outside, and what can be said to it.
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import { ask, openSession } from "./api.ts";
import { FAILING_TOOL_URL } from "./failing-tool-url.ts";

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" }, amount_cents: { type: "integer" } },
  required: ["order_id"],
  additionalProperties: false,
};

/** Once the tool may run, it fails at once. */
export const REFUND_TOOL = {
  type: "http",
  name: "refund_order",
  url: FAILING_TOOL_URL,
  input_schema: ORDER,
  // Calls of one turn are asked about together.
  concurrency_safe: true,
};
const CANCEL_TOOL = { ...REFUND_TOOL, name: "cancel_order" };
export const LABEL_TOOL = {
  type: "external",
  name: "print_label",
  input_schema: ORDER,
  // The tool only looks, as far as the platform can tell: nobody is asked.
  read_only: true,
  concurrency_safe: true,
};
export const DESK = { name: "Refund desk", tools: [REFUND_TOOL, CANCEL_TOOL, LABEL_TOOL] };

export const REFUND = '/call refund_order {"order_id":"A-1001","amount_cents":4200}';
export const CANCEL = '/call cancel_order {"order_id":"A-1001"}';
export const LABEL = '/call print_label {"order_id":"A-1001"}';

export async function openParked(input = REFUND, definition: object = DESK) {
  const opened = await openSession(definition);
  const { json: reply } = await ask<Reply>("POST", `${opened.path}/replies`, {
    ...opened.call,
    json: { input },
  });
  if (reply.pending.length === 0) throw new Error(`nothing waits: ${JSON.stringify(reply)}`);
  return { ...opened, reply, pending: reply.pending, events: `${opened.path}/events` };
}

/** Yes or no to calls; `changes` go into each answer. */
export function confirmation(
  reply: Pick<Reply, "id">,
  calls: readonly PendingCall[],
  changes: { readonly confirmed?: boolean; readonly rules?: readonly object[] } = {},
) {
  return {
    type: "USER_CONFIRM_RESULT",
    reply_id: reply.id,
    confirm_results: calls.map(({ tool_call }) => ({ confirmed: true, tool_call, ...changes })),
  };
}

/** As a client token has to answer: with the hashes of the inputs that the person saw. */
export function provenConfirmation(reply: Pick<Reply, "id">, calls: readonly PendingCall[]) {
  const hashes = calls.map(({ tool_call, input_hash }) => [tool_call.id, input_hash]);
  return {
    ...confirmation(reply, calls),
    metadata: { input_hashes: Object.fromEntries(hashes) as Readonly<Record<string, string>> },
  };
}

export function externalResults(
  reply: Pick<Reply, "id">,
  calls: readonly PendingCall[],
  output: unknown = "Label 4711",
) {
  return {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id: reply.id,
    execution_results: calls.map(({ tool_call }) => ({ id: tool_call.id, output })),
  };
}
