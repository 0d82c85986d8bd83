import { Reprise } from "@reprise/sdk";

const { API_KEY = "", AGENT_ID = "", BASE_URL = "http://localhost:8787" } = process.env;
const reprise = new Reprise({ apiKey: API_KEY, baseUrl: BASE_URL });

const session = await reprise.sessions.create({ agent_id: AGENT_ID });
const reply = session.reply("Where is my order A-1001?");
for await (const event of reply) {
  if (event.type === "TEXT_BLOCK_DELTA") process.stdout.write(event.delta);
}
console.log(`\n${reply.status}:`, reply.message()?.usage);
