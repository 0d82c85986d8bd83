// The shop's resources on the platform: created for this run and removed after it.
import type { Reprise, TenantSession } from "@reprise/sdk";

export interface Shop {
  readonly agentId: string;
  readonly session: TenantSession;
  remove(): Promise<void>;
}

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" }, amount: { type: "string" } },
  required: ["order_id"],
};

/** @param shopUrl URL of the shop's server. */
export async function openShop(reprise: Reprise, shopUrl: string): Promise<Shop> {
  const agent = await reprise.agents.create({
    name: "Refund desk",
    model: { provider: "scripted", parameters: { tokens_per_second: 40 } },
    tools: [
      {
        type: "http",
        name: "lookup_order",
        input_schema: ORDER,
        url: `${shopUrl}/tools/lookup_order`,
        read_only: true,
      },
      {
        type: "http",
        name: "refund_order",
        input_schema: ORDER,
        url: `${shopUrl}/tools/refund_order`,
        idempotent: true,
      },
    ],
    // A refund needs a confirmation by default. The label is a client-side tool of the page.
    permission: {
      rules: [{ tool_name: "print_label", rule_content: null, behavior: "allow", source: "agent" }],
    },
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  return {
    agentId: agent.id,
    session,
    async remove() {
      await reprise.sessions.delete(session.id);
      await reprise.agents.delete(agent.id);
    },
  };
}
