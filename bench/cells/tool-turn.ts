// From the end of a model's answer that asks for a tool to the next request to the model. The tool answers at once.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Bench, Cell } from "../cell.ts";
import { readBody } from "../clients/read-body.ts";
import { writeScript, type ModelScript } from "../model/model-script.ts";
import { bundleService } from "../runtime/bundle-service.ts";
import { startWorkerd } from "../runtime/start-workerd.ts";
import { quantile } from "../statistics.ts";

/** Answers with a call in one reply. */
const TURNS = 15;
const SCRIPT: ModelScript = { tokens: 1, rate: 0, calls: 1, rounds: TURNS };
const TOOL = "answer_at_once";
const FLOOR = "floor-tool";

export const toolTurn: Cell = {
  name: "tool-turn",
  title: `from the model's call of a tool to its next request, ${TURNS} calls one after the other`,
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
        const floorMs = await measureTurn(bench, floor.turn);
        const session = await bench.reprise.openSessionOf(agent);
        const platformMs = await measureTurn(bench, () => session.reply(SCRIPT));
        if (round === 0) continue;
        raw.push(floorMs);
        reprise.push(platformMs);
      }
      return [{ name: "a turn with a tool", unit: "ms", samples: { raw, reprise } }];
    } finally {
      await floor.stop();
      tool.stop();
    }
  },
};

/** The median of the milliseconds in which the model waited to be asked again. */
async function measureTurn({ model }: Bench, run: () => Promise<unknown>): Promise<number> {
  await model.takeVisits();
  await run();
  const visits = await model.takeVisits();
  if (visits.length !== TURNS + 1) throw new Error(`the model was asked ${visits.length} times`);
  const waitsMs = visits.slice(1).map(({ askedAt }, index) => {
    const answeredAt = visits[index]?.answeredAt ?? Number.NaN;
    return (askedAt - answeredAt) / 1_000;
  });
  return quantile(waitsMs, 0.5);
}

interface Tool {
  readonly url: string;
  stop(): void;
}

async function startTool(): Promise<Tool> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end('{"found":true}');
  });
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function startFloor({ model }: Bench, tool: string) {
  const worker = await bundleService(FLOOR, "worker/floor-tool.ts");
  const workerd = await startWorkerd([{ ...worker, isPublic: true }]);
  const query = new URLSearchParams({ model: `${model.baseUrl}/chat/completions`, tool });
  const body = JSON.stringify({
    model: "mock",
    stream: true,
    messages: [{ role: "user", content: writeScript(SCRIPT) }],
    tools: [{ type: "function", function: { name: TOOL } }],
  });
  const url = `${workerd.urlOf(FLOOR)}/?${query.toString()}`;
  return {
    turn: () => readBody({ url, method: "POST", body }),
    stop: () => workerd.stop(),
  };
}
