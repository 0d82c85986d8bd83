// Events of a participant's reply about an agent that it has called, which may call another one and ask.
import {
  allows,
  answered,
  asks,
  batch,
  begun,
  called,
  ended,
  question,
  results,
  runs,
  said,
  waits,
} from "../../support/called-log.ts";

export type Calls = "works" | "asks" | "nested";

interface Caller {
  readonly session_id: string;
  readonly reply_id: string;
}

interface Custom {
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const NO_TOKENS = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/** The event in the log of the caller. */
function ofCaller({ reply_id }: Caller, custom: object): Record<string, unknown> {
  const { name, value } = custom as Custom;
  const isOfReply = name === "subagent_event" || name === "subagent_call";
  return { type: "CUSTOM", name, reply_id, value: isOfReply ? { ...value, reply_id } : value };
}

const sessionOf = ({ reply_id }: Caller): string => `ses_${reply_id}_x`;
const lowestOf = (caller: Caller, calls: Calls): string =>
  calls === "nested" ? `ses_${caller.reply_id}_y` : sessionOf(caller);

/** From the call to its result; a question is behind the last event that may be told before it. */
export function calledEvents(caller: Caller, calls: Calls): readonly Record<string, unknown>[] {
  const { session_id, reply_id } = caller;
  const call = `${reply_id}_h`;
  const session = sessionOf(caller);
  const own = { session, call, parent: session_id };
  const lowest = lowestOf(caller, calls);
  const isNested = lowest !== session;
  const below = isNested ? { session: lowest, call: "n", parent: session } : own;
  const asking = asks("q");
  const customs = [
    waits(call, session),
    batch(own, begun(session), ...said("a", "Let ", "me see.")),
    ...(isNested
      ? [
          batch(own, ...called("n", "helper"), runs("n", "helper")),
          batch(below, begun(lowest), ...said("b", "I am below.")),
        ]
      : []),
    ...(calls === "works"
      ? []
      : [batch(below, ...called("q")), batch(below, asking), question(lowest, call, asking)]),
    ...(calls === "works" ? [] : [batch(below, allows("q"), runs("q"), ...results("q", "Paid."))]),
    ...(isNested ? [batch(below, ended(lowest)), batch(own, ...results("n", "Done."))] : []),
    batch(own, ...said("c", "Done."), ended(session)),
    waits(call, session, false),
  ];
  const of = { reply_id, tool_call_id: call };
  return [
    { type: "TOOL_CALL_START", ...of, tool_call_name: "helper" },
    { type: "TOOL_CALL_DELTA", ...of, delta: "{}" },
    { type: "TOOL_CALL_END", ...of },
    { type: "MODEL_CALL_END", reply_id, ...NO_TOKENS, finished_reason: "completed" },
    { type: "TOOL_RESULT_START", ...of, tool_call_name: "helper" },
    ...customs.map((custom) => ofCaller(caller, custom)),
    { type: "TOOL_RESULT_TEXT_DELTA", ...of, delta: "helped" },
    { type: "TOOL_RESULT_END", ...of, state: "success" },
  ];
}

/** The answer to the question, in the caller's log. */
export function calledAnswer(caller: Caller, calls: Calls): Record<string, unknown> {
  const call = `${caller.reply_id}_h`;
  return ofCaller(caller, answered(lowestOf(caller, calls), call, "q"));
}
