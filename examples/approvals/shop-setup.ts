// The shop's resources on the platform: created for this run and removed after it.
import { randomBytes } from "node:crypto";

import type { Reprise, TenantSession } from "@reprise/sdk";

export interface ShopSetup {
  readonly session: TenantSession;
  /** The platform signs its webhooks with it. */
  readonly webhookSecret: string;
  /** The platform signs tool requests with it. */
  readonly toolSecret: string;
  remove(): Promise<void>;
}

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" }, amount: { type: "string" } },
  required: ["order_id"],
};

/** @param shopUrl URL of the shop's server. */
export async function setUpShop(reprise: Reprise, shopUrl: string): Promise<ShopSetup> {
  const toolSecret = `whsec_${randomBytes(32).toString("base64")}`;
  const signing = await reprise.credentials.create({
    name: "Tool requests of the shop",
    type: "tool",
    secret: toolSecret,
    allowed_hosts: [new URL(shopUrl).host],
  });
  const http = { type: "http", signing_credential_id: signing.id, input_schema: ORDER } as const;
  const agent = await reprise.agents.create({
    name: "Refund desk with approvals",
    model: { provider: "scripted", parameters: { tokens_per_second: 60 } },
    tools: [
      { ...http, name: "lookup_order", url: `${shopUrl}/tools/lookup_order`, read_only: true },
      { ...http, name: "refund_order", url: `${shopUrl}/tools/refund_order`, idempotent: true },
      { type: "external", name: "print_label", input_schema: ORDER },
    ],
    // A refund needs a confirmation by default. A label may always be printed.
    permission: {
      rules: [{ tool_name: "print_label", rule_content: null, behavior: "allow", source: "agent" }],
    },
    confirmation_ttl: 3_600,
  });
  const endpoint = await reprise.webhookEndpoints.create({
    url: `${shopUrl}/webhooks`,
    events: ["confirmation.required", "external_execution.required", "reply.*"],
    // `edit`, because the back office approves a lower amount: without it a callback URL accepts only yes or no.
    callback_verbs: ["confirm", "edit", "tool_result"],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  return {
    session,
    toolSecret,
    webhookSecret: endpoint.secret,
    async remove() {
      await reprise.sessions.delete(session.id);
      await reprise.webhookEndpoints.delete(endpoint.id);
      await reprise.agents.delete(agent.id);
      await reprise.credentials.delete(signing.id);
    },
  };
}
