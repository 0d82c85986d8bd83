// Attacks by whole conversations, and by what belongs to them: transcripts, states, forks, pictures, skills.
import { readString } from "../../scripts/local-api.ts";
import type { Attack, AttackPlace } from "./attack.ts";

const MEGABYTES_7 = 7_000_000;
/** Messages of a transcript, and of a state: as many as are taken. */
const TRANSCRIPT_MESSAGES = 5_000;
const STATE_MESSAGES = 2_000;
/** Replies of the session that is forked, and words of each. */
const FORKED_REPLIES = 12;
const FORKED_WORDS = 60_000;
/** Files of a skill beside its SKILL.md, and bytes of each: as much as is taken. */
const SKILL_FILES = 199;
const SKILL_FILE_BYTES = 24_000;

export const CONVERSATION_ATTACKS: readonly Attack[] = [
  atOnce("four transcripts of 5,000 messages at once", 4, async ({ attacker }) => {
    const path = `/v1/agents/${await createAgent(attacker)}/ag-ui`;
    const messages = Array.from({ length: TRANSCRIPT_MESSAGES }, (_, index) => ({
      id: `m${index}`,
      role: "user",
      content: words(MEGABYTES_7 / TRANSCRIPT_MESSAGES),
    }));
    const [threadId, runId] = [crypto.randomUUID(), crypto.randomUUID()];
    const rest = { state: {}, tools: [], context: [], forwardedProps: {} };
    return { method: "POST", path, body: { threadId, runId, messages, ...rest } };
  }),
  atOnce("four states of 2,000 messages at once", 4, async ({ attacker }) => {
    const content = [{ type: "text", text: words(MEGABYTES_7 / STATE_MESSAGES) }];
    const message = { role: "user", name: "x", content };
    const context = Array.from({ length: STATE_MESSAGES }, () => message);
    const path = `${await attacker.openSession()}/state`;
    return { method: "PUT", path, body: { context } };
  }),
  atOnce("eight observed messages of 7 MB at once", 8, async ({ attacker }) => {
    const path = `${await attacker.openSession()}/observe`;
    const messages = [{ role: "user", content: words(MEGABYTES_7) }];
    return { method: "POST", path, body: { messages } };
  }),
  atOnce("eight pictures of 7 MB whose base64 is not canonical", 8, async ({ attacker }) => {
    const data = `\n${Buffer.alloc((MEGABYTES_7 / 4) * 3, 1).toString("base64")}`;
    const source = { type: "base64", media_type: "image/png", data };
    const input = [
      { type: "text", text: "/say done" },
      { type: "data", source },
    ];
    const path = `${await attacker.openSession()}/replies`;
    return { method: "POST", path, body: { input } };
  }),
  atOnce("six skills of 5 MB at once", 6, () => {
    const name = `skill-${crypto.randomUUID()}`;
    const base64 = Buffer.alloc(SKILL_FILE_BYTES, 65).toString("base64");
    const files = Array.from({ length: SKILL_FILES }, (_, index) => ({
      path: `data/${index}.bin`,
      base64,
    }));
    const main = { path: "SKILL.md", text: `---\nname: ${name}\ndescription: d\n---\nx\n` };
    return { method: "POST", path: "/v1/skills", body: { files: [main, ...files] } };
  }),
  {
    name: "a session of 700,000 words forked four times at once",
    async prepare({ attacker }) {
      const session = await attacker.openSession();
      const body = JSON.stringify({ input: `/words ${FORKED_WORDS}` });
      for (let reply = 0; reply < FORKED_REPLIES; reply += 1) {
        await attacker.send("POST", `${session}/replies`, body);
      }
      const fork = () => attacker.send("POST", `${session}/fork`, "{}");
      return async () => expectTaken(await Promise.all([fork(), fork(), fork(), fork()]));
    },
  },
];

interface AttackRequest {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly body: object;
}

/** As many prepared requests at the same time. */
function atOnce(
  name: string,
  count: number,
  prepareOne: (place: AttackPlace) => Promise<AttackRequest> | AttackRequest,
): Attack {
  return {
    name,
    async prepare(place) {
      const requests = await Promise.all(
        Array.from({ length: count }, async () => {
          const { method, path, body } = await prepareOne(place);
          return { method, path, body: JSON.stringify(body) };
        }),
      );
      return async () =>
        expectTaken(
          await Promise.all(
            requests.map(({ method, path, body }) => place.attacker.send(method, path, body)),
          ),
        );
    },
  };
}

/** A refused request would be no attack. */
function expectTaken(statuses: readonly number[]): void {
  if (statuses.some((status) => status >= 400)) throw new Error(`refused: ${statuses.join()}`);
}

function createAgent({ api }: AttackPlace["attacker"]): Promise<string> {
  const definition = { name: "Hostile", model: { provider: "scripted" } };
  return api.call("POST", "/v1/agents", definition).then((agent) => readString(agent, "id"));
}

function words(characters: number): string {
  return "word ".repeat(characters / 5);
}
