// Attacks by volume: calls, text, bodies, readers, nesting.
import { request } from "node:http";

import { writeScript, type ModelScript } from "../model/model-script.ts";
import type { Attack } from "./attack.ts";

/** Tool calls in one answer of a model. */
const CALLS = 4_000;
/** Tokens of one answer, some 60 MB of text. */
const TOKENS = 3_000_000;
/** Bytes of one message with a picture. */
const PICTURE_BYTES = 7_000_000;
const PICTURES = 8;
/** Streams opened and never read. */
const READERS = 100;
/** Milliseconds for which they stay open. */
const READERS_STAY_MS = 3_000;
/** Words in the conversation that they request. */
const WORDS = 200_000;

export const FLOOD_ATTACKS: readonly Attack[] = [
  answer("thousands of calls in one answer", { tokens: 1, rate: 0, calls: CALLS }),
  answer("an answer of 60 MB", { tokens: TOKENS, rate: 0 }),
  {
    name: "a tool's answer that is nested thousands of levels deep",
    async prepare({ attacker, deepToolUrl: url }) {
      const tool = { type: "http", name: "answer_deep", url, read_only: true };
      const session = await attacker.openSession({ tools: [tool] });
      const body = JSON.stringify({ input: "/call answer_deep {}\n/then\n/say done" });
      return async () => void (await attacker.send("POST", `${session}/replies`, body));
    },
  },
  {
    name: "eight messages of 7 MB at once",
    async prepare({ attacker }) {
      const data = Buffer.alloc((PICTURE_BYTES / 4) * 3, 1).toString("base64");
      const source = { type: "base64", media_type: "image/png", data };
      const input = [
        { type: "text", text: "/say done" },
        { type: "data", source },
      ];
      const body = JSON.stringify({ input });
      const sessions = await Promise.all(
        Array.from({ length: PICTURES }, () => attacker.openSession()),
      );
      return async () =>
        void (await Promise.all(
          sessions.map((session) => attacker.send("POST", `${session}/replies`, body)),
        ));
    },
  },
  {
    name: "a hundred streams that nobody reads",
    async prepare({ attacker, reprise }) {
      const session = await attacker.openSession();
      const body = JSON.stringify({ input: `/words ${WORDS}` });
      await attacker.send("POST", `${session}/replies`, body);
      return async () => {
        const url = `${reprise.baseUrl}${session}/events?after=0`;
        const headers = { authorization: `Bearer ${attacker.key}`, accept: "text/event-stream" };
        const opened = Array.from({ length: READERS }, () => request(url, { headers }));
        for (const stream of opened) {
          stream.on("error", () => {});
          stream.end();
        }
        await new Promise((resolve) => setTimeout(resolve, READERS_STAY_MS));
        for (const stream of opened) stream.destroy();
      };
    },
  },
];

/** An attack by the attacker's own model. */
function answer(name: string, script: ModelScript): Attack {
  return {
    name,
    async prepare({ attacker, reprise }) {
      const agent = await attacker.openSession({ model: reprise.mockModel });
      const body = JSON.stringify({ input: writeScript(script) });
      return async () => void (await attacker.send("POST", `${agent}/replies`, body));
    },
  };
}
