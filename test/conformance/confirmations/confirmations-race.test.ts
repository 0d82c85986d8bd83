// Two clients answer the same question at the same moment, with every pair of credentials; a real server counts what ran.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { BROAD, sampled } from "../../support/breadth.ts";
import {
  CALLER_KINDS,
  confirmation,
  openRefundOffice,
  type CallerKind,
  type ConfirmationChanges,
  type RefundOffice,
} from "../../support/refund-office.ts";
import { request } from "../../support/platform-client.ts";

const ROUNDS = 10;
/** The answer to the second of two who agree, once the tool has run. */
const LATE = ["confirmation_used", true];
const PAIRS = CALLER_KINDS.flatMap((one, index) =>
  CALLER_KINDS.slice(index).map((other) => [one, other] as const),
);

let office: RefundOffice;

beforeAll(async () => {
  office = await openRefundOffice();
});
afterAll(() => office.stop());

/** Both at once, the later one first in every other round; then the reply's end, and what the shop was asked to do. */
async function race(
  round: number,
  kinds: readonly [CallerKind, CallerKind],
  answers: readonly [ConfirmationChanges, ConfirmationChanges],
) {
  const parked = await office.park();
  const callers = [await parked.caller(kinds[0]), await parked.caller(kinds[1])] as const;
  const order = round % 2 === 0 ? [0, 1] : [1, 0];
  const posts = order.map(async (who) => {
    const changes = answers[who as 0 | 1];
    return { who, ...(await callers[who as 0 | 1](confirmation(parked, changes))) };
  });
  const results = (await Promise.all(posts)).toSorted((one, other) => one.who - other.who);
  const path = `/v1/sessions/${parked.sessionId}/replies/${parked.reply.id}`;
  const ended = async () =>
    (await request<{ status: string }>("GET", path, { key: office.key })).body.status;
  await expect.poll(ended).toBe("completed");
  const refunds = office.tools.requests
    .map(({ body }) => body as { session_id: string; input: object })
    .filter(({ session_id }) => session_id === parked.sessionId)
    .map(({ input }) => input);
  return { results, refunds };
}

for (const [rows, breadth] of sampled(PAIRS, 1))
  describe.each(rows)("an answer by %s and one by %s at once", breadth, (one, other) => {
    it("that differ: one wins, the other is told so, and the tool does what the winner said", async () => {
      const edited = { order_id: "A-1001", amount: "20.00 EUR" };
      const answers = [
        { tool_call: { input: JSON.stringify(edited) } },
        { confirmed: false },
      ] as const;

      const rounds = await Promise.all(
        Array.from({ length: ROUNDS }, (_, round) => race(round, [one, other], answers)),
      );

      for (const { results, refunds } of rounds) {
        const [yes, no] = results;
        const isAllowed = yes?.status === 202;
        expect([yes?.status, no?.status, refunds]).toEqual(
          isAllowed ? [202, 409, [edited]] : [409, 202, []],
        );
        const [winner, loser] = isAllowed ? [yes, no] : [no, yes];
        expect([winner?.body.applied, loser?.body.code, loser?.body["same_answer"]]).toEqual([
          true,
          "confirmation_used",
          false,
        ]);
      }
    });

    it("that agree: the tool runs once, whatever the second one is told", BROAD, async () => {
      const rounds = await Promise.all(
        Array.from({ length: ROUNDS }, (_, round) => race(round, [one, other], [{}, {}])),
      );

      for (const { results, refunds } of rounds) {
        expect(refunds).toEqual([{ order_id: "A-1001" }]);
        // The same words again are no new answer; once the tool has run they are too late.
        const told = results.map(({ body }) => body.applied ?? [body.code, body["same_answer"]]);
        expect(told).toContain(true);
        expect([
          [true, false],
          [false, true],
          [true, LATE],
          [LATE, true],
        ]).toContainEqual(told);
      }
    });
  });
