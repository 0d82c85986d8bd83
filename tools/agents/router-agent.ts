// An example of an agent in code: it answers from a table, and hands over to the model loop what the table has not.
import type { CodeAgent } from "../../agent/code/code-agent.ts";
import type { Msg } from "../../protocol/messages/messages.ts";

/** The table is `metadata.answers` of the agent's definition: question → answer, without regard to case. */
export const ROUTER_AGENT: CodeAgent = {
  name: "router",
  reply: async (reply) => {
    const answer = findAnswer(reply.agent.metadata["answers"], textOf(reply.input.at(-1)));
    if (answer === null) return reply.run();
    await reply.say("answer", answer);
  },
  handle_interrupt: () => "I have stopped.",
};

function findAnswer(table: unknown, question: string): string | null {
  if (typeof table !== "object" || table === null) return null;
  const entry = Object.entries(table).find(([asked]) => plain(asked) === plain(question));
  return typeof entry?.[1] === "string" ? entry[1] : null;
}

function textOf(message: Msg | undefined): string {
  const blocks = message?.content ?? [];
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join(" ");
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
