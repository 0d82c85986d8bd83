// Processor time per token of a translated stream relative to the native format.
import type { Cell, Figure } from "../cell.ts";
import { readProcessorMs, secondsFor100kTokens } from "../processor-time.ts";
import { replyAll } from "../sessions.ts";

const FORMATS = ["agentscope", "agentscope-java", "ag-ui"] as const;
const SESSIONS = 32;
const TOKENS = 300;
const TOKENS_PER_SECOND = 50;
/** Ratio to the native stream. */
const MAX_RATIO = 1.2;

type Format = (typeof FORMATS)[number];

export const translation: Cell = {
  name: "translation",
  title: `${SESSIONS} sessions at ${TOKENS_PER_SECOND} tokens/s, streamed in each dialect`,
  isQuick: false,
  async run({ reprise, rounds }) {
    const seconds = new Map<Format, number[]>(FORMATS.map((format) => [format, []]));
    // Interleaved; the first round is a warm-up.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [format, measured] of seconds) {
        const sessions = await Promise.all(
          Array.from({ length: SESSIONS }, () => reprise.openSession(format)),
        );
        const before = readProcessorMs(reprise.pid);
        await replyAll(sessions, { tokens: TOKENS, rate: TOKENS_PER_SECOND });
        const after = readProcessorMs(reprise.pid);
        const spent = secondsFor100kTokens(before, after, SESSIONS * TOKENS);
        if (round > 0 && spent !== null) measured.push(spent);
      }
    }
    return [...seconds].flatMap(([format, measured]) =>
      describe(format, measured, seconds.get("agentscope") ?? []),
    );
  },
};

function describe(
  format: Format,
  seconds: readonly number[],
  native: readonly number[],
): readonly Figure[] {
  const processor: Figure = {
    name: `${format}: processor time for 100,000 tokens`,
    unit: "s",
    samples: { reprise: seconds },
  };
  if (format === "agentscope") return [processor];
  const ratios = seconds.flatMap((spent, round) => {
    const nativeSpent = native[round];
    return nativeSpent === undefined ? [] : [spent / nativeSpent];
  });
  return [
    processor,
    {
      name: `${format}: over the native stream`,
      unit: "×",
      samples: { reprise: ratios },
      targets: [{ type: "value", max: MAX_RATIO }],
    },
  ];
}
