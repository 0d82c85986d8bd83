import type * as z from "zod";

import type { AgentCreateSchema } from "../protocol/agents/contract.ts";

/** Tokens per second of the demo: slow enough to watch and to interrupt. */
const TOKENS_PER_SECOND = 40;

const orderId = { type: "string", description: "The order's number, such as A-1001" };

/**
 * The demo's agent: a lookup runs without asking, a refund needs a confirmation, a label is an external tool.
 *
 * @param toolsPort The local port of the shop's server.
 */
export function refundDeskAgent(toolsPort: number): z.input<typeof AgentCreateSchema> {
  const url = `http://127.0.0.1:${toolsPort}`;
  return {
    name: "Refund desk",
    system_prompt:
      "You are the refund desk of a small shop. Look an order up before you say anything about it.",
    model: {
      provider: "scripted",
      name: "refund-desk",
      parameters: { tokens_per_second: TOKENS_PER_SECOND },
    },
    tools: [
      {
        type: "http",
        name: "lookup_order",
        description: "What was ordered, and where it is.",
        input_schema: {
          type: "object",
          properties: { order_id: orderId },
          required: ["order_id"],
          additionalProperties: false,
        },
        url: `${url}/lookup_order`,
        read_only: true,
        concurrency_safe: true,
        idempotent: true,
      },
      {
        type: "http",
        name: "refund_order",
        description: "Pays an order back: in full, or the amount that is given.",
        input_schema: {
          type: "object",
          properties: {
            order_id: orderId,
            amount: { type: "string", description: 'Such as "12.50 EUR"; all of it when left out' },
          },
          required: ["order_id"],
          additionalProperties: false,
        },
        url: `${url}/refund_order`,
        idempotent: true,
        confirmation_message: "Refund order {order_id}?",
      },
      {
        type: "external",
        name: "print_label",
        description: "Has the label printed with which the customer sends an order back.",
        input_schema: {
          type: "object",
          properties: { order_id: orderId },
          required: ["order_id"],
          additionalProperties: false,
        },
        concurrency_safe: true,
      },
    ],
    // A refund needs a confirmation, the default without a rule. Printing a label is always allowed.
    permission: {
      mode: "default",
      rules: [{ tool_name: "print_label", rule_content: null, behavior: "allow", source: "agent" }],
    },
  };
}
