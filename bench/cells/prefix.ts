// The share of each request to a model that is a prefix of the next one, which is what providers cache: bytes that
// change early in a request make everything behind them be read again.
import type { Cell, Figure } from "../cell.ts";
import { startProvider } from "../prefix/start-provider.ts";
import { shareOfPrefixes } from "../prefix/share-of-prefixes.ts";
import { PREFIX_WIRES, type PrefixWire } from "../prefix/wires.ts";
import type { Reprise } from "../peers/reprise.ts";
import { readString } from "../../scripts/local-api.ts";
import { startTool } from "../answering-tool.ts";

const TURNS = 50;
/** Percent of all bytes. */
const MIN_PERCENT = 95;
const TOOLS = ["look_up_order", "look_up_customer", "look_up_parcel", "look_up_invoice"];
/** Marks of the cache, which are no part of what is cached: the provider leaves them out of the comparison. */
const CACHE_MARK = /,"cache_control":\{"type":"ephemeral"\}/g;

export const prefix: Cell = {
  name: "prefix",
  title: `a session of ${TURNS} turns, each with a call of a tool: bytes of each request that are a prefix of the next one, of all bytes sent`,
  isQuick: false,
  async run({ reprise }) {
    const figures: Figure[] = [];
    for (const wire of PREFIX_WIRES) figures.push(...(await measure(reprise, wire)));
    return figures;
  },
};

/** Facts that change between calls and are told as a hint: the time, and a state that the model can change. */
const CHANGING = {
  agent: { shared_state: { enabled: true } },
  session: { time_zone: "Europe/Berlin" },
  state: [{ op: "add", path: "/cart", value: ["A-1001", "A-1002"] }],
};

async function measure(reprise: Reprise, wire: PrefixWire): Promise<readonly Figure[]> {
  const bodies = await playSession(reprise, wire);
  const changing = await playSession(reprise, wire, CHANGING);
  const unmarked = bodies.map((body) => Buffer.from(body.toString("utf8").replace(CACHE_MARK, "")));
  const isMarked = unmarked.some((body, index) => body.length !== bodies[index]?.length);
  return [
    figureOf(`${wire.name}, ${bodies.length} requests`, bodies),
    figureOf(`${wire.name}, with the time and a shared state`, changing),
    ...(isMarked ? [figureOf(`${wire.name}, without the marks of the cache`, unmarked)] : []),
  ];
}

function figureOf(name: string, bodies: readonly Uint8Array[]): Figure {
  return {
    name,
    unit: "%",
    samples: { reprise: [100 * shareOfPrefixes(bodies)] },
    targets: [{ type: "value", min: MIN_PERCENT }],
  };
}

/** @returns The bodies of the session's requests. */
async function playSession(
  reprise: Reprise,
  wire: PrefixWire,
  more: { readonly agent?: object; readonly session?: object; readonly state?: object } = {},
): Promise<readonly Buffer[]> {
  const { tenant } = reprise;
  const provider = await startProvider(wire, TOOLS);
  const tool = await startTool(
    JSON.stringify({ found: true, notes: "Packed and sent. ".repeat(30) }),
  );
  try {
    const agent_id = await reprise.createAgent({
      ...more.agent,
      model: { ...wire.model, name: "mock", base_url: provider.baseUrl },
      system_prompt: "You answer questions about orders. ".repeat(40),
      tools: TOOLS.map((name) => toolAt(tool.url, name)),
    });
    const session = await tenant.api.call("POST", "/v1/sessions", { agent_id, ...more.session });
    const id = readString(session, "id");
    const path = `/v1/sessions/${id}/replies`;
    if (more.state) {
      const patched = await tenant.api.call("PATCH", `/v1/sessions/${id}/shared-state`, more.state);
      if (patched.status !== 200) throw new Error(`the state was answered with ${patched.status}`);
    }
    for (let turn = 0; turn < TURNS; turn += 1) {
      const input = `Where is order ${turn}? `.repeat(6);
      const { status } = await tenant.api.call("POST", path, { input });
      if (status !== 200) throw new Error(`a reply was answered with ${status}`);
    }
    return provider.bodies;
  } finally {
    provider.stop();
    tool.stop();
  }
}

function toolAt(url: string, name: string): object {
  return {
    type: "http",
    name,
    url,
    read_only: true,
    description: "Finds what is known of an order by its number.",
    input_schema: {
      type: "object",
      properties: { order_id: { type: "string", description: "Such as A-1001." } },
      required: ["order_id"],
    },
  };
}
