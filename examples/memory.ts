// An agent that remembers from one conversation to the next: by its tools, and by the platform around each reply. Runs
// against `npm start` with the embedded model, and checks what it finds.
import { Reprise, type SessionHandle } from "@reprise/sdk";

import { connect, StoryFailure } from "./connect.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });
const ann = `ann-${Date.now()}`;

const agent = await reprise.agents.create({
  name: "Travel desk",
  memory: { mode: "both" },
});

// The agent writes by its tool. `/call` makes the embedded model do so; any other model decides by itself.
const fact = "The user is allergic to nuts.";
const input = JSON.stringify({ thinking: "It matters for every meal.", content: [fact] });
const first = await open(ann);
const recorded = await say(first, `/call record_to_memory ${input}\n/say I will remember it.`);
check("record_to_memory", recorded.results, "Recorded as mem_");

// The platform writes what the user says of themselves, once the reply has ended.
await say(first, "I prefer window seats.");
await recordings(first, 2);

// Another conversation of the same user: the input recalls what it is about, before the model is called.
const second = await open(ann);
const recalled = await say(second, "Which meals without nuts, and which window?");
check("what the input recalls", recalled.hints, fact);
check("what the input recalls", recalled.hints, "I prefer window seats");

// The agent reads by its tool.
const keywords = JSON.stringify({ keywords: ["allergic"] });
const found = await say(second, `/call retrieve_from_memory ${keywords}\n/say Found.`);
check("retrieve_from_memory", found.results, fact);

// Nobody else's conversation knows any of it.
const other = await say(await open(`bob-${Date.now()}`), "Which meals without nuts?");
if (other.hints.includes("nuts")) throw new StoryFailure("Bob's conversation has Ann's memory.");
console.log("✓ another user's conversation recalls nothing of it");

function open(end_user_id: string): Promise<SessionHandle> {
  return reprise.sessions.create({ agent_id: agent.id, end_user_id });
}

async function say(session: SessionHandle, text: string) {
  const reply = session.reply(text);
  await reply.text();
  const blocks = reply.message()?.content ?? [];
  const texts = (type: string) =>
    blocks.flatMap((block) => (block.type === type ? JSON.stringify(block) : [])).join("\n");
  return { results: texts("tool_result"), hints: texts("hint") };
}

/** Waits until so many events `memories_recorded` tell what was written: of a tool's call, and of each recording. */
async function recordings(session: SessionHandle, count: number): Promise<void> {
  for (let left = 100; left > 0; left -= 1) {
    const response = await fetch(`${baseUrl}/v1/sessions/${session.id}/events?limit=100`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data } = (await response.json()) as { data: { name?: string; value?: object }[] };
    const events = data.filter(({ name }) => name === "memories_recorded");
    const written = events.flatMap(({ value }) => (value as { memories: unknown[] }).memories);
    if (written.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new StoryFailure("The reply was not recorded within 20 seconds.");
}

function check(what: string, text: string, expected: string): void {
  if (!text.includes(expected)) throw new StoryFailure(`${what} does not have: ${expected}`);
  console.log(`✓ ${what}: ${expected}`);
}
