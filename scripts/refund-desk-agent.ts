import type { z } from "zod";

import type { AgentCreateSchema } from "../protocol/api/agents.ts";

/** Tokens per second of the demo: slow enough to watch, and to cut in the middle of a word. */
const TOKENS_PER_SECOND = 40;

const orderId = { type: "string", description: "The order's number, such as A-1001" };

/**
 * The agent of the story: looking up just runs, a refund asks a person, a label comes from a system outside.
 *
 * @param toolsPort Where the shop's server listens on this machine.
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
    // Money asks a person, which is what happens without a rule. A label may always be printed.
    permission: {
      mode: "default",
      rules: [{ tool_name: "print_label", rule_content: null, behavior: "allow", source: "agent" }],
    },
  };
}
