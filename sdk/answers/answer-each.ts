import type { PendingCall } from "../../protocol/replies/contract.ts";

/** One answer for all calls, or a function of the call; undefined leaves the call unanswered. */
export type AnswerOf<Answer extends string | object> =
  | Answer
  | ((call: PendingCall) => Answer | undefined | Promise<Answer | undefined>);

/**
 * Pairs each call of this kind with its answer. A call given by id alone counts as one.
 *
 * @throws {TypeError} when there is no such call.
 */
export async function answerEach<Answer extends string | object>(
  calls: readonly PendingCall[],
  kind: PendingCall["kind"],
  answer: AnswerOf<Answer>,
): Promise<readonly (readonly [PendingCall, Answer])[]> {
  const answers = await Promise.all(
    calls
      .filter((call) => (call.kind ?? kind) === kind)
      .map(async (call) => {
        const said = typeof answer === "function" ? await answer(call) : answer;
        return said === undefined ? [] : [[call, said] as const];
      }),
  );
  const answered = answers.flat();
  if (answered.length > 0) return answered;
  throw new TypeError(`no call waits for this answer: ${kind}`);
}
