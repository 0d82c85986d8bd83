// Walks of the crash tests that are no replies of one session alone.
import type { Way } from "./scenarios.ts";

const BEGIN = "message_added + REPLY_START";
const ANSWER = [
  "MODEL_CALL_START",
  "TEXT_BLOCK_START",
  "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END",
];
const ONE_ABORT: readonly Way[] = ["ctx.abort"];
const BOTH_ABORTS: readonly Way[] = ["ctx.abort", "abortAllDurableObjects"];

/** The writes of each of them, as its own test counts it. */
export const OTHER_WALKS = {
  "a compression between replies": {
    ways: ONE_ABORT,
    writes: [BEGIN, ...ANSWER, "update timers", "update timers", "context_compressed"],
  },
  "a compression in a reply that waits for it": {
    ways: ONE_ABORT,
    writes: [BEGIN, "context_compressed", ...ANSWER],
  },
  "a recording behind a reply": {
    ways: ONE_ABORT,
    writes: [
      BEGIN,
      ...ANSWER,
      "update timers",
      "update timers",
      "update recordings",
      "memories_recorded",
    ],
  },
  "observing hooks": {
    ways: BOTH_ABORTS,
    writes: ["hook_answered + message_added", "hook_answered"],
  },
} satisfies Readonly<
  Record<string, { readonly ways: readonly Way[]; readonly writes: readonly string[] }>
>;
