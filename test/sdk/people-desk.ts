// A desk that refunds when a person agrees, and whose labels the shop's own system prints.
import { onTestFinished } from "vitest";

import { echo, startToolServer, type ToolServer } from "../support/tool-server.ts";
import { openDesk, type Desk } from "./desk.ts";

const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" }, amount: { type: "number" } },
  required: ["order_id"],
};

export const REFUND = "I want my money back for A-1001.";
export const CALL_REFUND = '/call refund_order {"order_id":"A-1001"}\n/say Done.';
export const CALL_LABEL = '/call print_label {"order_id":"A-1001"}\n/say Done.';

/** The refund tool answers with the input that it got. */
export async function openPeopleDesk(): Promise<Desk & { readonly tools: ToolServer }> {
  const tools = await startToolServer({
    "/lookup_order": (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ output: "A-1001: delivered, paid 49.90 EUR." }));
    },
    "/refund_order": echo,
  });
  onTestFinished(() => tools.stop());
  const desk = await openDesk({
    tools: [
      {
        type: "http",
        name: "lookup_order",
        input_schema: ORDER,
        url: `${tools.url}/lookup_order`,
        read_only: true,
      },
      {
        type: "http",
        name: "refund_order",
        input_schema: ORDER,
        url: `${tools.url}/refund_order`,
        rule_argument: "/order_id",
        rule_syntax: "exact",
      },
      { type: "external", name: "print_label", input_schema: ORDER, read_only: true },
    ],
  });
  return { ...desk, tools };
}
