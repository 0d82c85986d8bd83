// Attacks by agents that call agents, and by what agents remember.
import { readString } from "../../scripts/local-api.ts";
import type { Attack } from "./attack.ts";

/** Replies that call as many agents at once as one may: more than a hundred sessions begin beside each other. */
const CALLERS = 7;
const AGENTS_AT_ONCE = 16;
/** Words that each of them says. */
const WORDS = 500;
/** Memories of one call, each as long as one may be. */
const MEMORIES = 32;
const CHARACTERS = 8_000;
/** Calls of the tool, one after another. */
const RECORDS = 6;

export const AGENT_ATTACKS: readonly Attack[] = [
  {
    name: "a hundred called agents at once",
    isLong: true,
    async prepare({ attacker }) {
      const helper = { name: "Helper", model: { provider: "scripted" } };
      const agent_id = readString(await attacker.api.call("POST", "/v1/agents", helper), "id");
      const tool = { type: "agent", name: "help", agent_id, read_only: true };
      const call = `/call help ${JSON.stringify({ message: `/words ${WORDS}` })}`;
      const calls = Array.from({ length: AGENTS_AT_ONCE }, () => call);
      const body = JSON.stringify({ input: [...calls, "/say done"].join("\n") });
      const sessions = await Promise.all(
        Array.from({ length: CALLERS }, () => attacker.openSession({ tools: [tool] })),
      );
      return async () =>
        void (await Promise.all(
          sessions.map((session) => attacker.send("POST", `${session}/replies`, body)),
        ));
    },
  },
  {
    name: "memories of 8,000 characters, 32 in a call",
    isLong: true,
    async prepare({ attacker }) {
      const session = await attacker.openSession({ memory: { scope: "agent" } });
      const calls = Array.from({ length: RECORDS }, (_, record) => {
        const content = Array.from({ length: MEMORIES }, (__, index) => longText(record, index));
        const input = JSON.stringify({ thinking: "Hostile.", content });
        return `/call record_to_memory ${input}`;
      });
      const body = JSON.stringify({ input: [...calls, "/say done"].join("\n/then\n") });
      return async () => void (await attacker.send("POST", `${session}/replies`, body));
    },
  },
];

/** Of words that no other one has, and of which each is long enough to have parts. */
function longText(record: number, index: number): string {
  const words: string[] = [];
  for (let length = 0; length < CHARACTERS - 40;) {
    const word = `w${record}x${index}y${words.length}krankenversicherung`;
    words.push(word);
    length += word.length + 1;
  }
  return words.join(" ");
}
