// Content for the pictures of rooms and of triggers.
import { AssistantMsg, UserMsg } from "../../protocol/messages/constructors.ts";
import { readString, type LocalApi } from "../local-api.ts";

export interface RoomIds {
  /** The room in which two agents have spoken and a person is waited for. */
  readonly roomId: string;
  /** The trigger with a run. */
  readonly triggerId: string;
}

const PROPOSAL = "Order the blue cup: it sold best last spring, and 200 pieces cost 7 EUR each.";
const OBJECTION = "Its handle broke in four of ten parcels. Ask for another handle first.";

export async function fillRooms(api: LocalApi): Promise<RoomIds> {
  const id = async (path: string, body: object) =>
    readString(await api.call("POST", path, body), "id");
  const buyer = await id("/v1/agents", { name: "Buyer" });
  const critic = await id("/v1/agents", { name: "Critic" });
  const form = {
    type: "object",
    properties: {
      decision: { type: "string", title: "Decision", enum: ["order", "ask the maker", "leave it"] },
      reason: { type: "string", title: "Reason" },
    },
    required: ["decision"],
  };
  const roomId = await id("/v1/rooms", {
    title: "Which cup for spring?",
    participants: [
      { name: "Ada", kind: "person", awaited: true, form },
      { name: "Ben", kind: "person" },
      { name: "buyer", agent_id: buyer },
      { name: "critic", agent_id: critic },
    ],
  });
  // As after a discussion: a script would stand in the words.
  await api.call("PUT", `/v1/rooms/${roomId}/state`, {
    messages: [
      UserMsg({ name: "Ben", content: "Which cup do we order?" }),
      AssistantMsg({ name: "buyer", content: PROPOSAL }),
      AssistantMsg({ name: "critic", content: OBJECTION }),
    ],
    agents: { buyer: {}, critic: {} },
  });
  const said = { participant: "Ben", content: "Ada, what do we do?" };
  await api.call("POST", `/v1/rooms/${roomId}/messages`, said);
  const triggerId = await id("/v1/triggers", {
    name: "Morning report",
    agent_id: buyer,
    schedule: { type: "cron", expression: "0 8 * * 1-5", timezone: "Europe/Berlin" },
    input: "What was sold yesterday?",
  });
  await api.call("POST", `/v1/triggers/${triggerId}/runs`, {});
  return { roomId, triggerId };
}
