// Three agents and a person debate in a room; then all of it is saved by the agents' names and goes on in another room. Runs
// against `npm start` with the embedded model, and checks what it finds.
import { getTextContent, participantOf, Reprise, roomEventOf, type TenantRoom } from "@reprise/sdk";

import { connect, StoryFailure } from "./connect.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });

const debaters = ["Ada", "Bo", "Judge"] as const;
const agents = await Promise.all(debaters.map((name) => reprise.agents.create({ name })));
const participants = debaters.map((name, index) => ({ name, agent_id: agents[index]?.id ?? "" }));
const mia = { name: "Mia", kind: "person" } as const;

// One after the other, for two rounds: each is told what was said since its own turn.
const room = await reprise.rooms.create({
  title: "Shall parcels be left at the door?",
  participants: [...participants, mia],
  turns: { order: "sequential", rounds: 2 },
  announcement: "Ada is for it, Bo is against it, and the judge sums up.",
});

const lines = [
  "It saves everybody a second way.",
  "It rains, and things get lost.",
  "Both have a point so far.",
  "Then let the customer choose.",
  "With a choice I agree.",
  "So the customer decides: that is my ruling.",
];
// The embedded model plays the lines that are told to it; any other model makes its own.
const speakers: string[] = [];
for await (const event of room.discuss(`Please begin.\n${script(lines)}`)) {
  const speaker = participantOf(event);
  if (event.type === "REPLY_END" && speaker !== null) speakers.push(speaker);
  const told = roomEventOf(event);
  if (told?.name === "room_discussion_ended")
    check("the debate ends", told.value.reason, "completed");
}
check("who spoke, in order", speakers.join(", "), "Ada, Bo, Judge, Ada, Bo, Judge");
check(
  "the judge has the last word",
  (await said(room)).at(-1) ?? "",
  "Judge: So the customer decides",
);

// A person joins with a token of her own: she speaks as Mia, and as nobody else.
const token = await room.tokens.create({ participant: "Mia", ttl_seconds: 300 });
const app = new Reprise({ apiKey: token.token, baseUrl }).room(room.id);
await app.say(`I would like that.\n${script(["Noted.", "Noted, too.", "The case is closed."])}`);
const refused = await app.say("I am Ada.", { participant: "Ada" }).catch((error: unknown) => error);
check("Mia cannot speak as Ada", String(refused), "speaks as Mia alone");
await settled(room);
check("what Mia says is hers", (await said(room)).join("\n"), "Mia: I would like that.");

// All of it is saved by names, as AgentScope's sessions of several agents are, and loaded into a room of the same names.
const saved = await room.state.save();
check("states by name", Object.keys(saved.agents).toSorted().join(", "), "Ada, Bo, Judge");
const again = await reprise.rooms.create({ participants: [...participants, mia] });
const { Ada: _, ...others } = saved.agents;
const mismatch = await again.state
  .load({ messages: [...saved.messages], agents: others } as never)
  .catch((error: unknown) => error);
check("a missing name is refused", String(mismatch), "agents of the room");
await again.state.load({ messages: [...saved.messages], agents: saved.agents } as never);
for await (const event of again.discuss(
  `Once more.\n${script(["I stand by it.", "Me too.", "Closed."])}`,
)) {
  void event;
}
const words = await said(again);
check("the loaded room goes on", words.at(-1) ?? "", "Judge: Closed.");
check("and has what was said before", words.join("\n"), "Bo: It rains, and things get lost.");

/** Each speaker's line with the lines of those who come after it, for the embedded model. */
function script([line = "", ...rest]: readonly string[]): string {
  const told = [line, ...(rest.length > 0 ? script(rest).split("\n") : [])];
  return told.map((one) => `/say ${one}`).join("\n");
}

async function said(of: TenantRoom): Promise<readonly string[]> {
  const { data } = await of.messages({ limit: 100 }).page();
  return data.map((message) => `${message.name}: ${getTextContent(message) ?? ""}`);
}

/** Until the discussion has ended. */
async function settled(of: TenantRoom): Promise<void> {
  const { cursor } = await of.get();
  for await (const event of of.events({ after: cursor })) void event;
}

function check(what: string, text: string, expected: string): void {
  if (!text.includes(expected))
    throw new StoryFailure(`${what}: ${text} does not have: ${expected}`);
  console.log(`✓ ${what}: ${expected}`);
}
