// The effect of an attack on another tenant: the increase of its slowest read.
import { createHash } from "node:crypto";

import type { Attack } from "../hostile/attack.ts";
import type { Cell } from "../cell.ts";
import { openAttackingTenant } from "../hostile/attacking-tenant.ts";
import { AGENT_ATTACKS } from "../hostile/agent-attacks.ts";
import { CONVERSATION_ATTACKS } from "../hostile/conversation-attacks.ts";
import { startDeepTool } from "../hostile/deep-tool.ts";
import { FLOOD_ATTACKS } from "../hostile/flood-attacks.ts";
import { startFloodingAudio } from "../hostile/flooding-audio.ts";
import { startHostileMcpServer } from "../hostile/hostile-mcp-server.ts";
import { NEIGHBOUR_ATTACKS } from "../hostile/neighbour-attacks.ts";
import { MCP_ATTACKS } from "../hostile/mcp-attacks.ts";
import { startNeighbour } from "../hostile/start-neighbour.ts";
import { VOICE_ATTACKS } from "../hostile/voice-attacks.ts";
import { VALIDATION_ATTACKS } from "../hostile/validation-attacks.ts";

/** Milliseconds that an attack may add: not noticeable for a person. */
const MAX_STALL_MS = 100;
const CONTROL_MS = 1_000;
/**
 * A control in which nothing is done: its figure is by how much two quiet times differ, as by garbage that is collected
 * in one of them.
 */
const CONTROL: Attack = {
  name: "no attack, for a second",
  prepare: () => Promise.resolve(() => pause(CONTROL_MS)),
};
const ATTACKS = [
  CONTROL,
  ...VALIDATION_ATTACKS,
  ...FLOOD_ATTACKS,
  ...MCP_ATTACKS,
  ...CONVERSATION_ATTACKS,
  ...NEIGHBOUR_ATTACKS,
  ...AGENT_ATTACKS,
  ...VOICE_ATTACKS,
];

export const hostile: Cell = {
  name: "hostile",
  title:
    "the longest of another tenant's reads beside an attack, less the longest in as much time without one, and of attacks that go on for seconds the 95th percentile (p95); both share a process",
  isQuick: false,
  async run({ reprise, rounds }) {
    const neighbour = await startNeighbour(reprise);
    const deepTool = await startDeepTool();
    const mcpServer = await startHostileMcpServer();
    const floodingAudio = await startFloodingAudio();
    const attacker = await openAttackingTenant(reprise);
    const place = {
      reprise,
      attacker,
      deepToolUrl: deepTool.url,
      floodingAudioUrl: floodingAudio.baseUrl,
      mcpUrlOf: mcpServer.urlOf,
    };
    try {
      const stalls = new Map<string, number[]>(ATTACKS.map(({ name }) => [name, []]));
      for (let round = 0; round <= rounds; round += 1) {
        for (const { name, isLong, prepare } of inOrderOf(round)) {
          const attack = await prepare(place);
          const startedAtMs = performance.now();
          const beside = await neighbour.readBeside(attack);
          const tookMs = performance.now() - startedAtMs;
          const alone = await neighbour.readBeside(() => pause(tookMs));
          // The first round is a warm-up.
          if (round === 0) continue;
          const [besideMs, aloneMs] = isLong
            ? [beside.p95Ms, alone.p95Ms]
            : [beside.longestMs, alone.longestMs];
          stalls.get(name)?.push(Math.max(besideMs - aloneMs, 0));
        }
      }
      return ATTACKS.map((attack) => ({
        name: attack.isLong ? `${attack.name} (p95)` : attack.name,
        unit: "ms" as const,
        samples: { reprise: stalls.get(attack.name) ?? [] },
        targets: attack === CONTROL ? [] : [{ type: "value" as const, max: MAX_STALL_MS }],
      }));
    } finally {
      deepTool.stop();
      mcpServer.stop();
      floodingAudio.stop();
      neighbour.stop();
    }
  },
};

/**
 * Another order in each round, the same in every run: what an attack leaves behind is collected beside the next one, which
 * would always be charged with it.
 */
function inOrderOf(round: number): readonly Attack[] {
  const numberOf = ({ name }: Attack) =>
    createHash("sha256").update(`${round} ${name}`).digest("hex");
  return ATTACKS.toSorted((one, other) => (numberOf(one) < numberOf(other) ? -1 : 1));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
