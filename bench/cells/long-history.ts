// The start of a reply in a conversation of 100 to 100,000 messages: the object reads what follows the boundary, and of a
// conversation that was never summarised no more than two windows of the model.
import type { Cell } from "../cell.ts";
import type { TokenReader } from "../clients/token-reader.ts";
import { MAX_GROWTH, measureGrowth } from "../measure-growth.ts";
import { memoryPeakOf } from "../process-memory.ts";
import { replyOf } from "../sessions.ts";
import { quantile } from "../statistics.ts";

const MESSAGES = [100, 10_000, 100_000];
const TOKENS = 40;
const SHORT_REPLIES = 9;
/**
 * A context whose windows hold about as many messages as the shortest conversation has. Summaries would be calls of the
 * model.
 */
const CONTEXT = { context_size: 8_000, token_counter: "estimate", compression_enabled: false };

export const longHistory: Cell = {
  name: "long-history",
  title: "the start of a reply in a conversation of 100 to 100,000 messages",
  isQuick: false,
  run({ reprise, rounds }) {
    return measureGrowth({
      sizes: MESSAGES,
      what: "messages",
      rounds,
      async open(messages) {
        const agent = await reprise.createAgent({ context: CONTEXT });
        const session = await reprise.openSessionOf(agent);
        await replyOf(session, { tokens: TOKENS, rate: 0 });
        await reprise.repeatReply(session.id, messages / 2);
        await reprise.putAway(session.id);
        let first: TokenReader | null = null;
        const flat = { unit: "ms", maxGrowth: MAX_GROWTH } as const;
        const readers: TokenReader[] = [];
        let peakBytes = 0;
        const replyAgain = async () => {
          await reprise.putAway(session.id);
          readers.push(await replyOf(session, { tokens: 1, rate: 0 }));
        };
        const median = (valueOf: (reader: TokenReader) => number) =>
          quantile(readers.map(valueOf), 0.5);
        return [
          {
            // The first reply also leaves out the messages that are too many, once.
            name: "the first reply: to its first token",
            unit: "ms",
            async measure() {
              first ??= await replyOf(session, { tokens: 1, rate: 0 });
              return first.firstTokenMs;
            },
          },
          {
            name: "a later reply: to its first event",
            ...flat,
            async measure() {
              readers.length = 0;
              peakBytes = await memoryPeakOf(reprise.pid, async () => {
                for (let time = 0; time < SHORT_REPLIES; time += 1) await replyAgain();
              });
              return median((reader) => reader.firstEventMs);
            },
          },
          {
            name: "a later reply: to its first token",
            ...flat,
            measure: async () => median((reader) => reader.firstTokenMs),
          },
          {
            // Garbage included: the least size may take more than the largest.
            name: `memory that ${SHORT_REPLIES} later replies add at most`,
            unit: "MB",
            measure: async () => peakBytes / 1_000_000,
          },
        ];
      },
    });
  },
};
