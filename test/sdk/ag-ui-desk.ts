// A desk for clients of AG-UI: looking up just runs, a refund asks, and the label's tool is the client's own.
import { RepriseAgent, type RepriseAgentOptions } from "@reprise/sdk/ag-ui";
import { inject } from "vitest";

import { openDesk, QUICK, type Desk } from "./desk.ts";

export interface AgUiDesk extends Desk {
  /** @param options Of a phone behind a proxy, say. */
  readonly agentOf: (options?: Partial<RepriseAgentOptions>) => RepriseAgent;
}

export const PRINT_LABEL = {
  name: "print_label",
  description: "Prints a label.",
  parameters: { type: "object", properties: { order_id: { type: "string" } } },
};

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" } },
  required: ["order_id"],
};

export async function openAgUiDesk(agent: object = {}): Promise<AgUiDesk> {
  const tool = (name: string, more: object) => ({
    type: "http",
    name,
    input_schema: ORDER,
    url: `${inject("toolsUrl")}/${name}`,
    ...more,
  });
  const desk = await openDesk({
    tools: [tool("lookup_order", { read_only: true }), tool("refund_order", {})],
    ...agent,
  });
  const agentOf = (options: Partial<RepriseAgentOptions> = {}) =>
    new RepriseAgent({
      apiKey: desk.apiKey,
      baseUrl: inject("baseUrl"),
      agentId: desk.agentId,
      reconnect: QUICK,
      ...options,
    });
  return { ...desk, agentOf };
}
