// Three agents and a person debate in a room, which waits for the person's turns; then all of it is saved by the agents' names and
// goes on in another room. Runs against `npm start` with the embedded model, and checks what it finds.
import { getTextContent, participantOf, Reprise, roomEventOf, type TenantRoom } from "@reprise/sdk";

import { connect, StoryFailure } from "./connect.ts";

const { apiKey, baseUrl } = connect();
const reprise = new Reprise({ apiKey, baseUrl });

const debaters = ["Ada", "Bo", "Judge"] as const;
const agents = await Promise.all(debaters.map((name) => reprise.agents.create({ name })));
const [ada, bo, judge] = debaters.map((name, index) => ({
  name,
  agent_id: agents[index]?.id ?? "",
}));
if (!ada || !bo || !judge) throw new StoryFailure("there are no agents");
// A person with turns: the room waits for what she says.
const mia = { name: "Mia", kind: "person", awaited: true } as const;

// One after the other, for two rounds: each is told what was said since its own turn.
const room = await reprise.rooms.create({
  title: "Shall parcels be left at the door?",
  participants: [ada, bo, mia, judge],
  turns: { order: "sequential", rounds: 2 },
  announcement: "Ada is for it, Bo is against it, Mia lives there, and the judge sums up.",
});
// Her app has a token of her own: she speaks as Mia, and as nobody else.
const token = await room.tokens.create({ participant: "Mia", ttl_seconds: 300 });
const app = new Reprise({ apiKey: token.token, baseUrl }).room(room.id);

// The embedded model plays the lines that are told to it; any other model makes its own.
const opening = script(["It saves everybody a second way.", "It rains, and things get lost."]);
const hers = [
  `I live on the third floor.\n${script([
    "Both have a point so far.",
    "Then let the customer choose.",
    "With a choice I agree.",
  ])}`,
  `So do I.\n${script(["So the customer decides: that is my ruling."])}`,
];
const speakers: string[] = [];
let { cursor: after } = await room.say(`Please begin.\n${opening}`, { participant: "Mia" });
for (;;) {
  for await (const event of room.events({ after })) {
    after = event.seq;
    const told = roomEventOf(event);
    const isTurn = told?.name === "message_added" && told.value.turn_id !== null;
    const speaker = participantOf(event);
    if (speaker !== null && (event.type === "REPLY_END" || isTurn)) speakers.push(speaker);
    if (told?.name === "room_discussion_ended")
      check("the debate ends", told.value.reason, "completed");
  }
  // The stream has ended, because the debate has, or because it is Mia's turn.
  const { input_requests, status } = await room.get();
  const [asked] = input_requests;
  if (!asked) break;
  check("the room waits for", `${status} ${asked.participant}`, "waiting Mia");
  await app.input({ input_request_id: asked.id, content: hers.shift() ?? "No more." });
}
check("who spoke, in order", speakers.join(", "), "Ada, Bo, Mia, Judge, Ada, Bo, Mia, Judge");
const debate = await said(room);
check("what Mia says is hers", debate.join("\n"), "Mia: I live on the third floor.");
check("the judge has the last word", debate.at(-1) ?? "", "Judge: So the customer decides");
const refused = await app.say("I am Ada.", { participant: "Ada" }).catch((error: unknown) => error);
check("Mia cannot speak as Ada", String(refused), "speaks as Mia alone");

// All of it is saved by names, as AgentScope's sessions of several agents are, and loaded into a room of the same names.
const saved = await room.state.save();
check("states by name", Object.keys(saved.agents).toSorted().join(", "), "Ada, Bo, Judge");
const again = await reprise.rooms.create({
  participants: [ada, bo, judge, { name: "Mia", kind: "person" }],
});
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

function check(what: string, text: string, expected: string): void {
  if (!text.includes(expected))
    throw new StoryFailure(`${what}: ${text} does not have: ${expected}`);
  console.log(`✓ ${what}: ${expected}`);
}
