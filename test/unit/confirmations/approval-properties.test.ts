// Whatever people and systems outside answer, in whatever order and portions: a reply comes to its end, with each call
// run as often as it was allowed to.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { closeReply } from "../../../agent/state/close-reply.ts";
import { expireCalls } from "../../../agent/answers/expire-calls.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { runs } from "../../support/breadth.ts";
import { ApprovalDesk, type ShortAnswer } from "../../support/approval-desk.ts";
import type { FunctionTool } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";

const TOOLS = ["look", "ask", "ask_beside", "hand_out", "ask_to_hand_out"] as const;

/** One deed of somebody outside; the numbers choose among what waits. */
const deed = fc.record({
  kind: fc.constantFrom("yes", "no", "edit", "rule", "result", "error", "expire", "again", "crash"),
  which: fc.nat(7),
  howMany: fc.integer({ min: 1, max: 3 }),
});
type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never;

interface Arrangement {
  readonly desk: ApprovalDesk;
  /** Call ids, once for each time that their tool ran. */
  readonly ran: string[];
}

function arrange(turns: readonly (readonly (typeof TOOLS)[number][])[]): Arrangement {
  const ran: string[] = [];
  const tool = (flags: Partial<FunctionTool>): FunctionTool => ({
    ...flags,
    run: (_input, { tool_call_id }) => {
      ran.push(tool_call_id);
      return "done";
    },
  });
  const lines = turns.flatMap((turn, at) => [
    ...turn.map((name, index) => `/call ${name} {"n":"${at}.${index}"}`),
    "/think Hm.",
  ]);
  const desk = new ApprovalDesk({
    script: [...lines, "/say Done"].join("\n"),
    tools: {
      look: tool({ concurrency_safe: true }),
      ask: tool({ read_only: false }),
      ask_beside: tool({ read_only: false, concurrency_safe: true }),
      hand_out: tool({ external: {}, concurrency_safe: true }),
      ask_to_hand_out: tool({ read_only: false, external: {}, concurrency_safe: true }),
    },
    max_iters: 50,
  });
  return { desk, ran };
}

/** Does the deed to what waits for it; nothing when nothing does. */
function act(desk: ApprovalDesk, { kind, which, howMany }: Deed): void {
  const waiting = (state: string) => {
    const found = desk.calls.flatMap((call, index) => (call.state === state ? [index] : []));
    const start = found.length === 0 ? 0 : which % found.length;
    return [...found.slice(start), ...found.slice(0, start)].slice(0, howMany);
  };
  const asking = waiting("asking");
  const submitted = waiting("submitted").map((index) => ({ id: desk.calls[index]?.id }));
  const answer = (change: Partial<ShortAnswer>) => {
    const answers = asking.map((call) => ({ call, ...change }));
    if (answers.length > 0) expect(desk.confirm(answers).ok).toBe(true);
  };
  switch (kind) {
    case "yes":
      return answer({});
    case "no":
      return answer({ confirmed: false });
    case "edit":
      return answer({ input: '{"n":"edited"}' });
    case "rule": {
      const [call = 0] = asking;
      const rules = desk.calls[call]?.suggested_rules ?? [];
      if (asking.length > 0) expect(desk.confirm([{ call, rules }]).ok).toBe(true);
      return;
    }
    case "result":
    case "error": {
      const state = kind === "result" ? "success" : "error";
      const results = submitted.map((result) => ({ ...result, state }) as const);
      if (results.length > 0) expect(desk.submit(results).ok).toBe(true);
      return;
    }
    case "expire":
      desk.append(expireCalls(desk.log.state, [desk.calls[which]?.id ?? ""]));
      return;
    case "again": {
      // A second answer to a call never changes anything, whatever it says.
      const before = desk.log.events.length;
      const done = desk.calls.flatMap(({ state }, call) =>
        state === "finished" ? [{ call }] : [],
      );
      if (done.length > 0) expect(desk.confirm(done.slice(0, 1)).ok).toBe(false);
      expect(desk.log.events).toHaveLength(before);
      return;
    }
    case "crash":
      expect(MemoryLog.reopen(desk.log).state).toEqual(desk.log.state);
      return;
    default:
      kind satisfies never;
  }
}

describe("answers in any order, portion and wording", () => {
  it("bring every reply to its end, and run each allowed call once", async () => {
    const turn = fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 2 }),
        fc.array(deed, { maxLength: 20 }),
        async (turns, deeds) => {
          const { desk, ran } = arrange(turns);
          await desk.run();
          for (const each of deeds) {
            act(desk, each);
            if (each.which % 2 === 0) await desk.run();
          }
          // Somebody who answers whatever still waits: each round of that settles a call at least.
          for (let round = 0; desk.log.state.message.finished_reason === null; round += 1) {
            expect(round).toBeLessThan(20);
            act(desk, { kind: "yes", which: 0, howMany: 3 });
            act(desk, { kind: "result", which: 0, howMany: 3 });
            await desk.run();
          }

          const { message } = desk.log.state;
          expect(message.finished_reason).toBe("completed");
          expect(foldEvents(desk.log.events)).toEqual(message);
          const results = message.content.filter((block) => block.type === "tool_result");
          expect(results.map(({ id }) => id).toSorted()).toEqual(
            desk.calls.map(({ id }) => id).toSorted(),
          );
          expect(
            desk.states.every((state) => /^finished (success|error|denied)$/.test(state)),
          ).toBe(true);
          const inside = desk.calls.filter(({ name }) => !name.includes("hand_out"));
          const allowed = inside.filter(({ id }) =>
            results.some((result) => result.id === id && result.state === "success"),
          );
          expect(ran.toSorted()).toEqual(allowed.map(({ id }) => id).toSorted());
          expect(desk.log.state.iterations).toBe(turns.length + 1);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("leave nothing open when an interrupt comes between any two of them", async () => {
    const turn = fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(turn, fc.array(deed, { maxLength: 6 }), async (calls, deeds) => {
        const { desk } = arrange([calls]);
        await desk.run();
        for (const each of deeds) {
          act(desk, each);
          if (each.which % 2 === 0) await desk.run();
        }
        fc.pre(desk.log.state.message.finished_reason === null);
        const closing = { session_id: "ses_1", finished_reason: "interrupted" } as const;
        desk.append(closeReply(desk.log.state, closing));

        const { message } = desk.log.state;
        expect(foldEvents(desk.log.events)).toEqual(message);
        expect(desk.states.join()).toMatch(/^(finished (success|error|denied|interrupted),?)+$/);
        const before = desk.log.events.length;
        for (const each of deeds) act(desk, each);
        await desk.run();
        expect(desk.log.events).toHaveLength(before);
      }),
      { numRuns: runs(100) },
    );
  });
});
