// Measures the SDK's fold on one long reply, bundled and run as in an app.
import { foldEvents } from "../../protocol/fold/append-event.ts";
import type { AgentEvent } from "../../protocol/events.ts";

const BLOCKS = 200;
const DELTAS_OF_A_BLOCK = 97;
const SHARED = {
  created_at: "2026-01-01T00:00:00.000Z",
  metadata: {},
  visibility: "user",
  reply_id: "rep_00000000000000000000000000",
};
const WARM_UPS = 3;

/** Events per second. The reply has some 20,000 events in text blocks, one delta per token. */
export function measureFold(): number {
  const events = makeReply();
  for (let round = 0; round < WARM_UPS; round += 1) fold(events);
  const startedAtMs = performance.now();
  fold(events);
  return (events.length / (performance.now() - startedAtMs)) * 1_000;
}

/** @throws when the folded message is wrong. */
function fold(events: readonly AgentEvent[]): void {
  const message = foldEvents(events);
  if (message?.content.length !== BLOCKS) throw new Error("the fold has lost a block");
}

function makeReply(): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  function add(event: object): void {
    const id = `evt_${events.length + 1}`;
    events.push({ ...SHARED, id, ...event } as AgentEvent);
  }
  add({ type: "REPLY_START", session_id: "ses_0", name: "Bench", role: "assistant" });
  for (let block = 0; block < BLOCKS; block += 1) {
    const block_id = `blk_${block}`;
    add({ type: "TEXT_BLOCK_START", block_id });
    for (let delta = 0; delta < DELTAS_OF_A_BLOCK; delta += 1) {
      add({ type: "TEXT_BLOCK_DELTA", block_id, delta: "a token " });
    }
    add({ type: "TEXT_BLOCK_END", block_id, text: null });
  }
  add({ type: "REPLY_END", session_id: "ses_0", finished_reason: "completed", error: null });
  return events;
}
