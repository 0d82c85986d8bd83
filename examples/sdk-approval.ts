import { Reprise } from "@reprise/sdk";

const { API_KEY = "", AGENT_ID = "", BASE_URL = "http://localhost:8787" } = process.env;
const reprise = new Reprise({ apiKey: API_KEY, baseUrl: BASE_URL });

const session = await reprise.sessions.create({ agent_id: AGENT_ID });
const reply = session.reply("I want my money back for A-1003.", {
  // A real app asks a person here. Calls without an answer stay waiting for another client.
  onConfirm: ({ tool_call: { name } }) =>
    name === "refund_order" ? { input: { order_id: "A-1003", amount: "60.00 EUR" } } : undefined,
  tools: { print_label: () => "RETURN-7741, to be handed in with the parcel." },
});
console.log(await reply.text());
