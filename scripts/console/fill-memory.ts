// Content for the pictures of memory and of called agents.
import { readString, type LocalApi } from "../local-api.ts";

export interface MemoryIds {
  readonly storeId: string;
  /** A memory with a history. */
  readonly memoryId: string;
  /** The session whose reply waits for an agent that asks. */
  readonly calling: string;
}

const FACTS = [
  "The customer lives in Berlin.",
  "The customer lives in Munich now.",
  "The customer is allergic to nuts.",
  "Parcels go to the office, never to the flat: the neighbours do not take them.",
];

export async function fillMemory(api: LocalApi): Promise<MemoryIds> {
  const id = async (path: string, body: object) =>
    readString(await api.call("POST", path, body), "id");
  const refund = {
    type: "external",
    name: "refund",
    description: "Refunds an order.",
    confirmation_message: "Refund {amount} EUR?",
  };
  const desk = await id("/v1/agents", { name: "Order desk", tools: [refund] });
  const agent_id = await id("/v1/agents", {
    name: "Concierge",
    memory: { mode: "both" },
    tools: [{ type: "agent", name: "order_desk", agent_id: desk, read_only: true }],
  });
  const end_user_id = "ann@shop.example";
  const storeId = await id("/v1/memory-stores", { agent_id, end_user_id });
  const memories = `/v1/memory-stores/${storeId}/memories`;
  const [memoryId = ""] = await inTurn(FACTS, (content) => id(memories, { content }));
  await api.call("PATCH", `${memories}/${memoryId}`, {
    content: "The customer lives in Hamburg since May.",
    path: "profile/city",
  });
  const session = { agent_id, end_user_id, title: "A broken cup" };
  const calling = await id("/v1/sessions", session);
  const message = '/say I look the order up.\n/call refund {"amount": 12}\n/say It is refunded.';
  const input = `/call order_desk ${JSON.stringify({ message })}\n/say Your money is on its way.`;
  await api.call("POST", `/v1/sessions/${calling}/replies`, { input, background: true });
  return { storeId, memoryId, calling };
}

/** One after the other, since lists are in this order. */
async function inTurn<Given, Made>(
  all: readonly Given[],
  make: (one: Given) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const one of all) made.push(await make(one));
  return made;
}
