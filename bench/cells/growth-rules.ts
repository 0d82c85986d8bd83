// An agent with many permission rules: they may only affect calls.
import { measureToolTurn, startTool, TOOL_SCRIPT } from "../answering-tool.ts";
import type { Cell } from "../cell.ts";
import { readPath } from "../clients/read-path.ts";
import { MAX_GROWTH, measureGrowth, timeMs } from "../measure-growth.ts";
import { countDecisions, RULE_BOOKS } from "../permission-decisions.ts";
import { replyOf } from "../sessions.ts";
import { quantile } from "../statistics.ts";

const RULES = [10, 100, 1_000];
const TOKENS = 200;
const TOKENS_PER_SECOND = 100;
const TOOL = "answer_at_once";

export const growthRules: Cell = {
  name: "growth-rules",
  title: "an agent with 10 and 100 times as many rules for its tool, none of which matches",
  isQuick: false,
  async run({ model, reprise, rounds }) {
    const tool = await startTool();
    try {
      return await measureGrowth({ sizes: RULES, what: "rules", rounds, open: openSize });
    } finally {
      tool.stop();
    }

    async function openSize(size: number) {
      const agent = await reprise.createAgent({
        tools: [{ type: "http", name: TOOL, url: tool.url, read_only: true }],
        permission: { rules: makeRules(size) },
      });
      const session = await reprise.openSessionOf(agent);
      const path = `/v1/sessions/${session.id}`;
      const flat = { unit: "ms", maxGrowth: MAX_GROWTH } as const;
      const command = RULE_BOOKS.find(({ syntax }) => syntax === "command") ?? RULE_BOOKS[0];
      return [
        {
          name: "open: the first look after the object was put away",
          ...flat,
          measure: () =>
            timeMs(async () => {
              await reprise.putAway(session.id);
              await readPath(reprise, reprise.tenant, path);
            }),
        },
        {
          name: "a reply: added per token, p50",
          ...flat,
          async measure() {
            const script = { tokens: TOKENS, rate: TOKENS_PER_SECOND };
            return quantile((await replyOf(session, script)).agesMs, 0.5);
          },
        },
        {
          name: "a turn with a tool",
          ...flat,
          measure: () => measureToolTurn(model, () => session.reply(TOOL_SCRIPT)),
        },
        {
          // Grows by design: each rule is evaluated, and their number is bounded.
          name: "one decision under rules for commands",
          unit: "ms",
          measure: async () => (command ? 1_000 / countDecisions(command, size) : Number.NaN),
        },
      ] as const;
    }
  },
};

function makeRules(count: number): readonly object[] {
  return Array.from({ length: count }, (_, number) => ({
    tool_name: TOOL,
    rule_content: `customer-${number}`,
    behavior: "allow",
    source: "bench",
  }));
}
