// Time from the end of a model's answer with a tool call to the next model request. The tool answers at once.
import { measureToolTurn, startTool, TOOL_SCRIPT, TOOL_TURNS } from "../answering-tool.ts";
import type { Bench, Cell } from "../cell.ts";
import { readBody } from "../clients/read-body.ts";
import { writeScript } from "../model/model-script.ts";
import { bundleService } from "../runtime/bundle-service.ts";
import { startWorkerd } from "../runtime/start-workerd.ts";

const TOOL = "answer_at_once";
const FLOOR = "floor-tool";
const MAX_OVER_MS = 3;

export const toolTurn: Cell = {
  name: "tool-turn",
  title: `from the model's call of a tool to its next request, ${TOOL_TURNS} calls one after the other`,
  isQuick: true,
  async run(bench) {
    const tool = await startTool();
    const floor = await startFloor(bench, tool.url);
    try {
      const agent = await bench.reprise.createAgent({
        tools: [{ type: "http", name: TOOL, url: tool.url, read_only: true }],
      });
      const raw: number[] = [];
      const reprise: number[] = [];
      for (let round = 0; round <= bench.rounds; round += 1) {
        const floorMs = await measureToolTurn(bench.model, floor.turn);
        const session = await bench.reprise.openSessionOf(agent);
        const platformMs = await measureToolTurn(bench.model, () => session.reply(TOOL_SCRIPT));
        if (round === 0) continue;
        raw.push(floorMs);
        reprise.push(platformMs);
      }
      return [
        {
          name: "a turn with a tool",
          unit: "ms",
          samples: { raw, reprise },
          targets: [{ type: "over", peer: "raw", max: MAX_OVER_MS }],
        },
      ];
    } finally {
      await floor.stop();
      tool.stop();
    }
  },
};

async function startFloor({ model }: Bench, tool: string) {
  const worker = await bundleService(FLOOR, "worker/floor-tool.ts");
  const workerd = await startWorkerd([{ ...worker, isPublic: true }]);
  const query = new URLSearchParams({ model: `${model.baseUrl}/chat/completions`, tool });
  const body = JSON.stringify({
    model: "mock",
    stream: true,
    messages: [{ role: "user", content: writeScript(TOOL_SCRIPT) }],
    tools: [{ type: "function", function: { name: TOOL } }],
  });
  const url = `${workerd.urlOf(FLOOR)}/?${query.toString()}`;
  return {
    turn: () => readBody({ url, method: "POST", body }),
    stop: () => workerd.stop(),
  };
}
