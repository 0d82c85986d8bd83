import type { JsonObject } from "../../components/schema-form/json-schema.ts";

interface AgentExample {
  readonly id: string;
  readonly title: string;
  /** Purpose of the example, and its needs. */
  readonly words: string;
  readonly definition: JsonObject;
}

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string", description: "The order's number, such as A-1001" } },
  required: ["order_id"],
  additionalProperties: false,
};

const LOOKUP = {
  name: "lookup_order",
  description: "What was ordered, and where it is.",
  input_schema: ORDER,
  read_only: true,
  concurrency_safe: true,
  idempotent: true,
};
const REFUND = {
  name: "refund_order",
  description: "Pays an order back.",
  input_schema: ORDER,
  idempotent: true,
  confirmation_message: "Refund order {order_id}?",
};

const REFUND_DESK = {
  name: "Refund desk",
  system_prompt:
    "You are the refund desk of a small shop. Look an order up before you say anything about it.",
  model: { provider: "scripted", name: "refund-desk", parameters: { tokens_per_second: 40 } },
};

/** Definitions with which a new agent may begin. All but the last ones run on the embedded model, without any key. */
export const AGENT_EXAMPLES: readonly AgentExample[] = [
  {
    id: "refund-desk",
    title: "Refund desk, you play the shop",
    words:
      "A lookup, and a refund that a person has to allow. You give the tools' results yourself, so it needs no server and no key.",
    definition: {
      ...REFUND_DESK,
      tools: [
        { type: "external", ...LOOKUP },
        { type: "external", ...REFUND },
      ],
    },
  },
  {
    id: "refund-desk-http",
    title: "Refund desk with a shop's server",
    words: "The same with tools that are requests to your own server: replace the addresses.",
    definition: {
      ...REFUND_DESK,
      tools: [
        { type: "http", ...LOOKUP, url: "https://shop.example/tools/lookup_order" },
        { type: "http", ...REFUND, url: "https://shop.example/tools/refund_order" },
      ],
    },
  },
  {
    id: "refund-desk-voice",
    title: "Refund desk that speaks",
    words:
      "The first one with the embedded voice: talk to it in the playground. It answers in tones, and needs no key.",
    definition: {
      ...REFUND_DESK,
      tools: [
        { type: "external", ...LOOKUP },
        { type: "external", ...REFUND },
      ],
      voice: { mode: "realtime", model: { provider: "scripted" } },
    },
  },
  {
    id: "extraction",
    title: "Facts of a text",
    words: "Structured output: each answer is an object that fits a JSON Schema.",
    definition: {
      name: "Facts of a text",
      system_prompt: "Read the user's text and give the facts that it states.",
      model: { provider: "openai", name: "gpt-4.1-mini" },
      structured_output: {
        type: "object",
        properties: {
          summary: { type: "string" },
          people: { type: "array", items: { type: "string" } },
        },
        required: ["summary", "people"],
        additionalProperties: false,
      },
    },
  },
  {
    id: "assistant",
    title: "Assistant for long conversations",
    words:
      "Anthropic's model with another vendor's behind it, and summaries when the conversation grows. Needs a credential for each.",
    definition: {
      name: "Assistant",
      system_prompt: "You help the customers of our shop. Be brief.",
      model: {
        provider: "anthropic",
        name: "claude-sonnet-4-5",
        parameters: { max_tokens: 4_096 },
      },
      fallback_models: [{ provider: "openai", name: "gpt-4.1" }],
      context: { trigger_ratio: 0.7, keep_recent: 6, compression_tool_enabled: true },
      budget: { max_tokens: 500_000, max_seconds: 600 },
    },
  },
  {
    id: "blank",
    title: "Empty",
    words: "A name and the embedded model; the rest has defaults.",
    definition: { name: "New agent" },
  },
];
