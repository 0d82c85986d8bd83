// Answers of people with which those who begin go wrong.
import type { MistakeWorld } from "./mistake-world.ts";

/** An answer of a person, with its results confirmed. */
export function withConfirmed(answered: object): object {
  const { confirm_results, ...event } = answered as { confirm_results: readonly object[] };
  return {
    ...event,
    confirm_results: confirm_results.map((result) => ({ ...result, confirmed: true })),
  };
}

/** The approval of an input that the call does not have. */
export function oldHash({ reply, call }: MistakeWorld): object {
  const { id } = call.tool_call;
  return {
    type: "USER_CONFIRM_RESULT",
    reply_id: reply.id,
    confirm_results: [{ confirmed: true, tool_call: { id } }],
    metadata: { input_hashes: { [id]: `sha256:${"0".repeat(64)}` } },
  };
}
