// The shapes of streams that the resume suite cuts, as scripts of the embedded model.
export interface Shape {
  readonly name: string;
  /** One reply after the other, in one session. */
  readonly inputs: readonly string[];
  readonly max_iters?: number;
  /** The schema that every reply has to fill in. */
  readonly structured_schema?: object;
  /** Interrupt the last reply after this many of its frames. */
  readonly interruptAfter?: number;
  /** Event types that the stream must hold, or the shape is not what it says. */
  readonly holds: readonly string[];
}

const RED_DOT =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

export const SHAPES: readonly Shape[] = [
  { name: "text", inputs: ["/say Hello, wörld 👋 and more"], holds: ["TEXT_BLOCK_DELTA"] },
  {
    name: "thinking",
    inputs: ["/think Let me see.\n/say Seen.\n/think And again.\n/say Sure."],
    holds: ["THINKING_BLOCK_DELTA", "TEXT_BLOCK_DELTA"],
  },
  {
    name: "thoughts with their proofs",
    inputs: [
      '/think I ask.\n/sign c2ln\n/call text {"q":1}\n/think I see.\n/sign RW1w\n/say Done.',
    ],
    holds: ["THINKING_BLOCK_DELTA", "TOOL_RESULT_TEXT_DELTA"],
  },
  {
    name: "one tool",
    inputs: ['/think I ask.\n/call text {"q":1}\n/say Done.'],
    holds: ["TOOL_CALL_DELTA", "TOOL_RESULT_TEXT_DELTA"],
  },
  {
    name: "parallel tools",
    inputs: ['/call text {"q":1}\n/call blocks {"q":2}\n/call text {"q":3}\n/say All done.'],
    holds: ["TOOL_RESULT_DATA_DELTA", "TOOL_RESULT_END"],
  },
  {
    name: "tool error",
    inputs: ["/call broken {}\n/call nowhere {}\n/call text ]]\n/say Sorry."],
    holds: ["TOOL_RESULT_END"],
  },
  {
    name: "data blocks",
    inputs: [`/say Look:\n/data image/png ${RED_DOT}\n/say A dot.\n/data image/png ${RED_DOT}`],
    holds: ["DATA_BLOCK_DELTA"],
  },
  {
    name: "max_iters",
    inputs: ['/call text {"q":1}\n/loop'],
    max_iters: 2,
    holds: ["EXCEED_MAX_ITERS"],
  },
  { name: "model error", inputs: ["/say Half a senten\n/fail setup"], holds: ["REPLY_END"] },
  {
    name: "answers that were taken back",
    inputs: ["/think Hm.\n/say Half a senten\n/fail upstream"],
    holds: ["CUSTOM", "TEXT_BLOCK_DELTA", "REPLY_END"],
  },
  {
    name: "interrupt",
    inputs: ["/think Slowly.\n/rate 100\n/words 500"],
    interruptAfter: 20,
    holds: ["MODEL_CALL_END", "REPLY_END"],
  },
  {
    name: "long text merged in windows",
    inputs: ["/rate 2000\n/words 400"],
    holds: ["TEXT_BLOCK_DELTA"],
  },
  {
    name: "two replies in one session",
    inputs: ["/say The first.", '/call text {"q":2}\n/say The second.'],
    holds: ["CUSTOM", "REPLY_START"],
  },
  { name: "hints", inputs: ["/hint Mind the gap.\n/say I do."], holds: ["HINT_BLOCK"] },
  {
    name: "the refund desk",
    inputs: ["Where are my orders A-1001 and A-1002?"],
    holds: ["THINKING_BLOCK_DELTA", "TEXT_BLOCK_DELTA"],
  },
  {
    name: "structured output",
    inputs: [
      '/say Not yet.\n/then\n/structured {"total":"x"}\n/then\n/structured {"lines":[{"id":"ü"}]}',
      '/structured {"total":2}',
    ],
    structured_schema: {
      type: "object",
      properties: {
        total: { type: "number", default: 1 },
        lines: { type: "array", items: { properties: { paid: { default: false } } } },
      },
    },
    holds: ["HINT_BLOCK", "CUSTOM", "REPLY_END"],
  },
  {
    name: "a call that parks",
    inputs: ["/say I would.\n/call dangerous {}\n/say Not reached."],
    holds: ["REQUIRE_USER_CONFIRM"],
  },
];
