// Claims that must hold of every session after a soak, whatever was killed when.
import { expect } from "vitest";

import { foldEvents } from "../../protocol/fold/append-event.ts";
import type { Soak, SoakedSession, WatchedReply } from "./kill-soak.ts";

/** @returns how many events the readers saw that no disk had: their cursors had stood in a lost tail. */
export function verifySoak({ sessions, idleUnasked }: Soak): number {
  expect(idleUnasked).toBe(sessions.length);
  let lost = 0;
  for (const session of sessions) {
    expect(session.replies.map(({ status, error }) => ({ status, error }))).toEqual(
      session.replies.map(() => ({ status: "completed", error: null })),
    );
    expectEffects(session);
    for (const reply of session.watched) lost += verifyReading(reply);
  }
  return lost;
}

function expectEffects({ id, effects, replies }: SoakedSession): void {
  for (const { tool, tool_call_id, idempotency_key } of effects) {
    const times = effects.filter((effect) => effect.tool_call_id === tool_call_id).length;
    if (tool.includes("reserve")) expect(idempotency_key).toBe(`${id}:${tool_call_id}`);
    else expect({ tool, tool_call_id, times }).toEqual({ tool, tool_call_id, times: 1 });
  }
  const made = new Set(effects.map(({ tool_call_id }) => tool_call_id));
  const blocks = replies.flatMap(({ message }) => message?.content ?? []);
  for (const block of blocks) {
    if (block.type !== "tool_result") continue;
    const { id: callId, name, state, metadata } = block;
    // The result that the model is told is true: a success was made, and only where it is not known an outcome is
    // unknown.
    const isKnown = state === "success" ? made.has(callId) : metadata["outcome"] === "unknown";
    expect({ callId, name, state, isKnown }).toMatchObject({ isKnown: true });
    if (name.includes("reserve")) expect({ name, state }).toEqual({ name, state: "success" });
  }
}

function verifyReading({ events, folded, stored, replayed }: WatchedReply): number {
  const seqs = events.map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
  expect(JSON.stringify(folded)).toBe(JSON.stringify(stored));
  expect(JSON.stringify(foldEvents(events))).toBe(JSON.stringify(stored));

  const kept = new Map(replayed.map((event) => [event.seq, event]));
  const lost = events.filter(({ seq }) => !kept.has(seq));
  expect(lost.filter(({ type }) => !type.endsWith("_DELTA"))).toEqual([]);
  expect(events.filter(({ seq }) => kept.has(seq))).toEqual(
    seqs.flatMap((seq) => kept.get(seq) ?? []),
  );
  return lost.length;
}
