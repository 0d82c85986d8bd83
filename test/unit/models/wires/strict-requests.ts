// Demands of the strictest endpoints of the three wires on a conversation.

type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Fields[] =>
  (Array.isArray(value) ? value : []) as Fields[];

function isObjectText(text: unknown): boolean {
  const value: unknown = typeof text === "string" ? JSON.parse(text) : null;
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Ids of calls, each of which wants one result at once, and ids of results. */
function* chatSteps(body: Fields) {
  for (const message of listOf(body["messages"])) {
    const { role, content } = message;
    if (role === "tool") yield { result: message["tool_call_id"] };
    else {
      const calls = listOf(message["tool_calls"]);
      yield { isOther: true, isEmpty: !content && calls.length === 0 };
      for (const call of calls) {
        yield {
          call: call["id"],
          isInput: isObjectText((call["function"] as Fields)["arguments"]),
        };
      }
    }
  }
}

function* responsesSteps(body: Fields) {
  for (const item of listOf(body["input"])) {
    const { type, call_id } = item;
    if (type === "function_call") yield { call: call_id, isInput: isObjectText(item["arguments"]) };
    else if (type === "function_call_output") yield { result: call_id };
    else yield { isOther: true, isEmpty: type === undefined && !item["content"] };
  }
}

function* messagesSteps(body: Fields) {
  for (const { role, content } of listOf(body["messages"])) {
    const blocks = listOf(content);
    const isResults = blocks[0]?.["type"] === "tool_result";
    if (!isResults) yield { isOther: true, isEmpty: blocks.length === 0 };
    for (const block of blocks) {
      const { type } = block;
      if (type === "tool_use") {
        yield { call: block["id"], isInput: isObjectText(JSON.stringify(block["input"])) };
      } else if (type === "tool_result") yield { result: block["tool_use_id"] };
      else if (type === "text") yield { isEmpty: !block["text"], isOther: role === "assistant" };
      else if (type === "thinking") yield { isEmpty: !block["signature"] };
    }
  }
}

interface Step {
  readonly call?: unknown;
  readonly isInput?: boolean;
  readonly result?: unknown;
  readonly isOther?: boolean;
  readonly isEmpty?: boolean;
}

const STEPS: Readonly<Record<string, (body: Fields) => Generator<Step>>> = {
  "chat completions": chatSteps,
  responses: responsesSteps,
  anthropic: messagesSteps,
};

/** Why an endpoint of this wire would refuse the request; null when it would not. */
export function refusalOf(wire: string, body: unknown, text: string): string | null {
  if (/\\ud[89a-f]/i.test(text)) return "half a pair of surrogates";
  const ids = new Set<unknown>();
  const open = new Set<unknown>();
  for (const step of STEPS[wire]!(body as Fields)) {
    const { call, result } = step;
    if (step.isEmpty) return "an empty content";
    if (step.isOther && open.size > 0) return `no result of ${[...open].join()}`;
    if ("result" in step && !open.delete(result)) return `a result of no call: ${String(result)}`;
    if (!("call" in step)) continue;
    if (typeof call !== "string" || call === "" || ids.has(call)) return `the id ${String(call)}`;
    if (!step.isInput) return "an input that is no object";
    ids.add(call);
    open.add(call);
  }
  return open.size > 0 ? `no result of ${[...open].join()}` : null;
}
