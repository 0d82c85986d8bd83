// Claims that must hold of a reply after whatever happened to its machine.
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import { foldEvents } from "../../../protocol/fold/append-event.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { RESET_EQUIPPED_TOOLS } from "../../../protocol/tool-groups/events.ts";
import { NOTEBOOK_TOOLS } from "../../../protocol/plans/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { CrashedRun } from "./crash-run.ts";
import type { CrashSession } from "./crash-session.ts";
import { isIdempotent } from "./scenarios.ts";

/**
 * @param deaths How many machines the reply may have lost.
 * @returns how many events its reader saw that no disk had.
 */
export async function verifyRun(run: CrashedRun, deaths: number): Promise<number> {
  const { session, seenBefore } = run;
  const reply = await session.readReply();
  expect(reply).toMatchObject({ status: session.ends, pending: [], error: null });
  const message = reply.message as Msg;
  const stored = JSON.stringify(message);
  const log = await readLog(session);

  expectOrder(log, deaths);
  expect(JSON.stringify(foldEvents(log))).toBe(stored);
  expectWellFormed(log);

  // The reader goes on from the last seq that it saw, which the crash may have lost.
  const before = session.seen.slice(0, seenBefore);
  const lost = expectSameContent(before, log);
  await session.read();
  const isStrict = session.seen.every(
    ({ seq }, index) => seq > (session.seen[index - 1]?.seq ?? 0),
  );
  expect(isStrict).toBe(true);
  expect(JSON.stringify(foldEvents(session.seen))).toBe(stored);

  await expectEffects(run, message);
  await expectState(session, message, log);
  await expectD1Heard(session, message);
  return lost;
}

async function readLog(session: CrashSession): Promise<readonly LoggedEvent[]> {
  const reader = session.reader();
  await reader.read("after=0");
  return reader.seen;
}

function expectOrder(log: readonly LoggedEvent[], deaths: number): void {
  const gaps = log.filter(({ seq }, index) => seq !== (log[index - 1]?.seq ?? 0) + 1);
  const isRising = log.every(({ seq }, index) => seq > (log[index - 1]?.seq ?? 0));
  expect(isRising).toBe(true);
  // Only a machine that died with a reservation leaves one.
  expect(gaps.length).toBeLessThanOrEqual(deaths);
}

/** No number was given twice with different content, and only deltas were lost. */
function expectSameContent(seen: readonly LoggedEvent[], log: readonly LoggedEvent[]): number {
  const kept = new Map(log.map((event) => [event.seq, event]));
  const lost = seen.filter(({ seq }) => !kept.has(seq));
  expect(seen.filter(({ seq }) => kept.has(seq))).toEqual(
    seen.flatMap(({ seq }) => kept.get(seq) ?? []),
  );
  expect(lost.filter(({ type }) => !type.endsWith("_DELTA"))).toEqual([]);
  return lost.length;
}

/** Other clients of the wire see each block begin and end once, and one last word. */
function expectWellFormed(log: readonly LoggedEvent[]): void {
  const kinds = ["TEXT_BLOCK", "THINKING_BLOCK", "DATA_BLOCK", "TOOL_CALL", "TOOL_RESULT"];
  for (const kind of kinds) {
    const [starts, ends] = [idsOf(log, `${kind}_START`), idsOf(log, `${kind}_END`)];
    expect(new Set(starts).size, `${kind}_START twice`).toBe(starts.length);
    expect(ends.toSorted(), `${kind}_END`).toEqual(starts.toSorted());
  }
  const asked = log.flatMap((event) =>
    event.type === "REQUIRE_USER_CONFIRM" || event.type === "REQUIRE_EXTERNAL_EXECUTION"
      ? event.tool_calls.map(({ id }) => id)
      : [],
  );
  expect(new Set(asked).size, "asked twice").toBe(asked.length);
  expect(log.filter(({ type }) => type === "REPLY_START")).toHaveLength(1);
  expect(log.filter(({ type }) => type === "REPLY_END")).toEqual([log.at(-1)]);
}

function idsOf(log: readonly LoggedEvent[], type: string): string[] {
  return log.flatMap((event) => {
    if (event.type !== type) return [];
    return "block_id" in event ? event.block_id : (event as { tool_call_id: string }).tool_call_id;
  });
}

/** Run by somebody outside, or by the platform itself. */
const WITHOUT_EFFECT: readonly string[] = [
  "print_label",
  "update_shared_state",
  "note",
  "read_skill",
  "record_to_memory",
  ...NOTEBOOK_TOOLS,
  RESET_EQUIPPED_TOOLS,
];

async function expectEffects({ session, isHung }: CrashedRun, message: Msg): Promise<void> {
  const effects = await session.effects();
  for (const { tool, tool_call_id, idempotency_key } of effects) {
    const ofCall = effects.filter((effect) => effect.tool_call_id === tool_call_id);
    if (isIdempotent(tool)) expect(idempotency_key).toBe(`${session.id}:${tool_call_id}`);
    else expect(ofCall, `${tool} ran more than once`).toHaveLength(1);
  }
  const made = new Set(effects.map(({ tool_call_id }) => tool_call_id));
  for (const block of message.content) {
    if (block.type !== "tool_result" || WITHOUT_EFFECT.includes(block.name)) continue;
    const { name, state, metadata, output } = block;
    // Results tell the model the truth: of a success the call was made, and a default tool's lost one is not known.
    const isLost = !isIdempotent(name) && metadata["outcome"] === "unknown";
    const said = JSON.stringify(output);
    // On a machine that is slow enough, a tool takes longer than it may where another one hangs.
    const isLate = said.includes("The tool did not answer within");
    const isDenied = state === "denied" && !made.has(block.id);
    const isWithheld = metadata["withheld"] === true && !made.has(block.id);
    const isTrue =
      state === "success"
        ? made.has(block.id)
        : isHung || isLost || isLate || isDenied || isWithheld;
    expect(isTrue, `${name} ended with ${state}: ${said}`).toBe(true);
  }
}

/** A call whose result is a success changed the state, once, and nothing else did. */
async function expectState(
  session: CrashSession,
  { content }: Msg,
  log: readonly LoggedEvent[],
): Promise<void> {
  const changes = log.filter(
    (event) => event.type === "CUSTOM" && event.name === "shared_state_updated",
  );
  const results = content.filter(
    (block) => block.type === "tool_result" && block.name === "update_shared_state",
  );
  const { state, version } = await session.sharedState();
  expect([changes.length, version]).toEqual([results.length, results.length]);
  expect(state).toEqual(results.length === 0 ? {} : { n: 1 });
}

/** In its own time: the entry may have to be delivered again. */
async function expectD1Heard(session: CrashSession, { id, usage }: Msg): Promise<void> {
  // A reply that called no model has used nothing.
  const told = {
    reply_id: usage && id,
    output_tokens: usage?.output_tokens ?? null,
    status: "idle",
  };
  await waitFor(async () => {
    const row = await env.DB.prepare(
      `SELECT reply_id, output_tokens, status FROM session_states LEFT JOIN usage USING (session_id)
         WHERE session_id = ?`,
    )
      .bind(session.id)
      .first();
    if (row?.["status"] !== "idle") await session.wakeLate();
    expect(row).toEqual(told);
  });
}
