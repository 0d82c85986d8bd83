/** @module-tag broad */
// A conversation of 200 turns with an agent that recalls and records: its memories stay few, and say nothing twice.
import { expect, test } from "vitest";

import { foldedText } from "../../../agent/memory/memory-texts.ts";
import {
  eventsOf,
  memoriesOf,
  recordingsOf,
  remembering,
  remembers,
  say,
  storeOf,
} from "./remembering.ts";

const PROMPT =
  "You are the travel desk of Lamplight. You answer in one sentence. You never promise a refund.";
const TURNS = 200;

/** Facts that stay true, each said many times in other words. */
const FACTS = [
  ["The user is called Ann.", "Ann here"],
  ["The user is allergic to nuts.", "No nuts for me, they are dangerous"],
  ["The user travels with a dog named Rex.", "My dog Rex comes along"],
  ["The user prefers window seats.", "A window seat, please"],
] as const;

/** Lines that a model without sense would remember as well: the prompt, and small talk that nobody needs twice. */
const JUNK = [
  PROMPT,
  "You answer in one sentence.",
  "You never promise a refund; you answer in one sentence.",
];

/** Turns in which the model records by its tool what is known already. */
const BY_TOOL = [10, 61, 112, 163];

function turn(index: number): string {
  const [fact, words] = FACTS[index % FACTS.length] ?? FACTS[0];
  const call = { thinking: "It lasts.", content: [fact] };
  const lines = BY_TOOL.includes(index) ? [`/call record_to_memory ${JSON.stringify(call)}`] : [];
  lines.push(`${words}. This is turn ${index}.`, `/remember ${fact}`);
  lines.push(`/remember ${JUNK[index % JUNK.length]}`);
  if (index === 40) lines.push("/remember The user lives in Lisbon.");
  if (index === 120) {
    lines.push("Lisbon is behind me.");
    lines.push("/remember The user lives in Porto. instead of The user lives in Lisbon.");
  }
  if (index > 120 && index % 10 === 0) lines.push("Is there a flight from Porto?");
  return [...lines, `/say ${fact} Noted.`].join("\n");
}

test("the number of memories stays bounded, none restates the prompt or another, and a corrected fact wins", async () => {
  const session = await remembering(remembers("both", {}, { system_prompt: PROMPT }));
  for (let index = 0; index < TURNS; index += 1) await say(session, turn(index));
  const recordings = await recordingsOf(session, TURNS + BY_TOOL.length);

  expect(new Set(recordings.map((one) => (one as { name: string }).name))).toEqual(
    new Set(["memories_recorded"]),
  );
  expect(recordings).toHaveLength(TURNS + BY_TOOL.length);
  const memories = await memoriesOf(session);
  expect(memories.toSorted((one, other) => (one.content < other.content ? -1 : 1))).toEqual(
    [...FACTS.map(([fact]) => [fact, 1] as const), ["The user lives in Porto.", 2] as const]
      .toSorted()
      .map(([content, version]) => ({
        id: expect.any(String),
        store_id: expect.any(String),
        path: null,
        content,
        content_sha256: expect.any(String),
        version,
        version_id: expect.any(String),
        supersedes: version === 1 ? null : expect.any(String),
        source: {
          session_id: session.session_id,
          reply_id: expect.any(String),
          // The first one who says it is the platform, behind the reply.
          tool_call_id: null,
        },
        untrusted: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      })),
  );
  const { data: versions } = await (await storeOf(session)).listVersions({ limit: 100 });
  expect(versions.map(({ content }) => content).toSorted()).toEqual(
    [...memories.map(({ content }) => content), "The user lives in Lisbon."].toSorted(),
  );
  expect(memories.some(({ content }) => foldedText(PROMPT).includes(foldedText(content)))).toBe(
    false,
  );

  const later = await say(session, "Which city, which dog, which seat?");
  const hints = (await eventsOf(session)).filter(
    (event) => event.type === "HINT_BLOCK" && event.source === "long_term_memory",
  );
  expect(later.status).toBe("completed");
  // Nothing that stands in the context is told again: a few hints in 201 replies.
  expect(hints.length).toBeLessThanOrEqual(2 * (FACTS.length + 2));
  expect(JSON.stringify(hints)).not.toContain("refund");
});
