// Random events of one reply. Few ids and short texts, so that they meet each other often.
import fc from "fast-check";

import { parseEvent } from "../../protocol/parse.ts";
import type { AgentEvent } from "../../protocol/events.ts";

const id = fc.constantFrom("a", "b", "c");
/** Cut anywhere, also inside a surrogate pair; with names that an object may not lose or obey. */
const text = fc.constantFrom("", "x", "yz", '"\n', "\u{1f600}", "\ud83d", "\ude00", "\u2028");
const base64 = fc.constantFrom(
  "",
  "YQ==",
  "YWI=",
  "YWJj",
  "Y",
  "YQ",
  "!!YQ=\n=",
  "=",
  "////",
  "YR==",
);
const metadata = fc.constantFrom(
  {},
  { k: 1 },
  JSON.parse('{"__proto__":{"x":1},"1":2,"0":[null]}') as object,
);
const mediaType = fc.constantFrom("image/png", "audio/wav");
const payload = fc.oneof(
  fc.record({ data: base64 }),
  fc.constant({ url: "https://example.com/x" }),
);
const created_at = fc.constantFrom("T1", "T2");
const tokens = fc.nat(1_000);

const outputBlock = fc.oneof(
  fc.record({ type: fc.constant("text"), text, id, created_at }),
  fc.record({
    type: fc.constant("data"),
    id,
    created_at,
    source: fc.record({ type: fc.constant("base64"), data: base64, media_type: mediaType }),
  }),
);
const output = fc.oneof(text, fc.array(outputBlock, { maxLength: 3 }));
const toolCall = fc.record({
  type: fc.constant("tool_call"),
  id,
  name: fc.constant("f"),
  input: text,
  created_at,
});
const toolResult = fc.record({
  type: fc.constant("tool_result"),
  id,
  name: fc.constant("f"),
  output,
  state: fc.constantFrom("success", "error"),
  created_at,
});
const calls = fc.array(toolCall, { maxLength: 2 });
const ids = fc.array(id, { maxLength: 3 });

function event<Fields>(type: string, fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> }) {
  return fc.record({ type: fc.constant(type), ...fields });
}

function withPayload(type: string, key: "block_id" | "tool_call_id") {
  const base = fc.record({ [key]: id, block_id: id, media_type: mediaType });
  return fc.tuple(base, payload).map(([fields, data]) => ({ type, ...fields, ...data }));
}

const blockEvents = ["TEXT_BLOCK", "THINKING_BLOCK"].flatMap((kind) => [
  event(`${kind}_START`, { block_id: id }),
  event(`${kind}_DELTA`, { block_id: id, delta: text }),
  event(`${kind}_END`, { block_id: id }),
]);

const fields = fc.oneof(
  ...blockEvents,
  event("TEXT_BLOCK_END", { block_id: id, text }),
  event("THINKING_BLOCK_END", { block_id: id, metadata: fc.record({ signature: text }) }),
  event("DATA_BLOCK_START", { block_id: id, media_type: mediaType }),
  withPayload("DATA_BLOCK_DELTA", "block_id"),
  event("DATA_BLOCK_END", { block_id: id }),
  event("HINT_BLOCK", { block_id: id, hint: output }),
  event("TOOL_CALL_START", { tool_call_id: id, tool_call_name: fc.constant("f") }),
  event("TOOL_CALL_DELTA", { tool_call_id: id, delta: text }),
  event("TOOL_CALL_END", { tool_call_id: id }),
  event("TOOL_RESULT_START", { tool_call_id: id, tool_call_name: fc.constant("f") }),
  event("TOOL_RESULT_TEXT_DELTA", { tool_call_id: id, delta: text }),
  withPayload("TOOL_RESULT_DATA_DELTA", "tool_call_id"),
  event("TOOL_RESULT_END", { tool_call_id: id, state: fc.constant("success"), metadata }),
  event("REQUIRE_USER_CONFIRM", { tool_calls: calls }),
  event("REQUIRE_EXTERNAL_EXECUTION", { tool_calls: calls }),
  event("USER_CONFIRM_RESULT", {
    confirm_results: fc.array(fc.record({ confirmed: fc.boolean(), tool_call: toolCall }), {
      maxLength: 2,
    }),
  }),
  event("EXTERNAL_EXECUTION_RESULT", { execution_results: fc.array(toolResult, { maxLength: 2 }) }),
  event("MODEL_CALL_START", { model_name: fc.constant("m") }),
  event("MODEL_CALL_END", { input_tokens: tokens, output_tokens: tokens }),
  event("EXCEED_MAX_ITERS", { name: fc.constant("A") }),
  event("USER_INTERRUPT", {}),
  event("REPLY_END", { session_id: fc.constant("s") }),
  event("CUSTOM", {
    name: fc.constant("reply_recovered"),
    value: fc.record({
      reply_id: fc.constant("r1"),
      discard_block_ids: ids,
      discard_tool_call_ids: ids,
      discard_tool_result_ids: ids,
    }),
  }),
  event("CUSTOM", {
    name: fc.constant("tool_progress"),
    value: fc.record({ reply_id: fc.constant("r1"), tool_call_id: id, message: text }),
  }),
  event("CUSTOM", {
    name: fc.constant("tool_call_edited"),
    value: fc.record({ reply_id: fc.constant("r1"), tool_call_id: id, input: text }),
  }),
  event("CUSTOM", {
    name: fc.constant("structured_output"),
    value: fc.record({
      reply_id: fc.constant("r1"),
      output: fc.oneof(fc.constantFrom({}, { b: 1, a: [null] }), text),
    }),
  }),
  event("CUSTOM", { name: fc.constant("reply_recovered"), value: metadata }),
);

/** One event of reply `r1`, as its schema gives it. */
export const eventArbitrary: fc.Arbitrary<AgentEvent> = fc
  .tuple(fields, created_at)
  .map(([event, time]) => parseEvent({ id: "e", created_at: time, reply_id: "r1", ...event }));

/** Events of reply `r1` in any order, after its start or without one. */
export const eventsArbitrary: fc.Arbitrary<AgentEvent[]> = fc.array(eventArbitrary, {
  maxLength: 40,
});
