// A conversation of 500 turns with tools in a small window: what a turn costs at its end, and what the model was sent.
import { startTool } from "../answering-tool.ts";
import type { Cell, Figure, Target, Unit } from "../cell.ts";
import { startDeskModel, type SentRequest } from "../conversation/start-desk-model.ts";
import { MAX_GROWTH } from "../measure-growth.ts";
import type { Reprise } from "../peers/reprise.ts";
import { quantile } from "../statistics.ts";
import { readString } from "../../scripts/local-api.ts";

const TURNS = 500;
/** Turns that are measured together. */
const PART = 100;
/** Tokens, of four bytes each. */
const WINDOW = 16_000;
const BYTES_OF_TOKEN = 4;
const TOOL = "look_up_order";

export const longConversation: Cell = {
  name: "long-conversation",
  title: `a conversation of ${TURNS} turns, each with three calls of a tool, and a model with a window of ${WINDOW.toLocaleString("en-US")} tokens`,
  isQuick: false,
  async run({ reprise, rounds }) {
    const played: (readonly Turn[])[] = [];
    for (let round = 0; round < rounds; round += 1) played.push(await play(reprise));
    const requests = played.flat().flatMap(({ sent }) => sent);
    const most = Math.max(...requests.map(({ textBytes }) => textBytes));
    const unpaired = requests.reduce((sum, request) => sum + request.unpaired, 0);
    const isFlat: Target = { type: "flat", max: MAX_GROWTH };
    const calls = played[0]?.flatMap(({ sent }) => sent.filter(({ isSummary }) => !isSummary));
    return [
      inParts(played, "a turn", "ms", medianMs, isFlat),
      inParts(played, "sent to the model for a turn, summaries included", "KB", sentKb, isFlat),
      inParts(played, "summaries", "count", countSummaries),
      {
        name: "the text of the largest request, of the window",
        unit: "%",
        samples: { reprise: [(100 * most) / (WINDOW * BYTES_OF_TOKEN)] },
        targets: [{ type: "value", max: 100 }],
      },
      {
        name: `calls without a result or results without a call, in ${calls?.length ?? 0} requests`,
        unit: "count",
        samples: { reprise: [unpaired] },
        targets: [{ type: "value", max: 0 }],
      },
    ];
  },
};

interface Turn {
  readonly ms: number;
  readonly sent: readonly SentRequest[];
}

/** A figure of the parts of the conversation, side by side. */
function inParts(
  played: readonly (readonly Turn[])[],
  name: string,
  unit: Unit,
  valueOf: (turns: readonly Turn[]) => number,
  target?: Target,
): Figure {
  const growth = Array.from({ length: TURNS / PART }, (_, part) => ({
    size: `turns ${part * PART + 1} to ${(part + 1) * PART}`,
    samples: played.map((turns) => valueOf(turns.slice(part * PART, (part + 1) * PART))),
  }));
  const samples = { reprise: growth.at(-1)?.samples ?? [] };
  return { name, unit, samples, growth, ...(target && { targets: [target] }) };
}

function medianMs(turns: readonly Turn[]): number {
  return quantile(
    turns.map(({ ms }) => ms),
    0.5,
  );
}

function sentKb(turns: readonly Turn[]): number {
  const requests = turns.flatMap(({ sent }) => sent);
  return requests.reduce((sum, { bytes }) => sum + bytes, 0) / turns.length / 1_000;
}

function countSummaries(turns: readonly Turn[]): number {
  return turns.flatMap(({ sent }) => sent).filter(({ isSummary }) => isSummary).length;
}

async function play(reprise: Reprise): Promise<readonly Turn[]> {
  const model = await startDeskModel(TOOL);
  const notes = "Packed, weighed and sent. ".repeat(12);
  const tool = await startTool(JSON.stringify({ found: true, notes }));
  try {
    const agent_id = await reprise.createAgent({
      model: { provider: "openai", name: "desk", base_url: model.baseUrl },
      context: { context_size: WINDOW, token_counter: "estimate" },
      system_prompt: "You answer questions about orders. ".repeat(20),
      tools: [{ type: "http", name: TOOL, url: tool.url, read_only: true }],
    });
    const { api } = reprise.tenant;
    const path = `/v1/sessions/${readString(await api.call("POST", "/v1/sessions", { agent_id }), "id")}/replies`;
    const turns: Turn[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const input = `Where are the orders of customer ${turn}? `.repeat(3);
      const startedAtMs = performance.now();
      const reply = await api.call("POST", path, { input });
      const ms = performance.now() - startedAtMs;
      if (readString(reply, "status") !== "completed") throw new Error(`turn ${turn} has failed`);
      turns.push({ ms, sent: model.takeSent() });
    }
    return turns;
  } finally {
    model.stop();
    tool.stop();
  }
}
