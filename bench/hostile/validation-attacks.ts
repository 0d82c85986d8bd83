// Attacks on validation: schemas, broken JSON, patterns, rules.
import type { Attack, AttackPlace } from "./attack.ts";

const TOOL = "take_anything";

/** Different objects of equal size for `uniqueItems` to compare. */
const UNIQUE_ITEMS = 8_000;
/** Characters of a call's input under many rules: the maximum of one delta. */
const RULED_INPUT_CHARACTERS = 131_072;
/** Maximum rules of an agent. */
const RULES = 1_000;
/** Pairs of broken JSON: 144 kB. */
const BROKEN_PAIRS = 18_000;

export const VALIDATION_ATTACKS: readonly Attack[] = [
  structured("a pattern that goes back for ever", {
    schema: {
      type: "object",
      properties: { value: { type: "string", pattern: "^(a+)+$" } },
      required: ["value"],
    },
    output: { value: `${"a".repeat(64)}!` },
  }),
  structured("a schema that asks itself twice of each level", {
    schema: { type: "object", $ref: "#/$defs/twice", $defs: { twice: twice() } },
    output: nested(19),
  }),
  structured("thousands of items that have to differ", {
    schema: {
      type: "object",
      properties: { items: { type: "array", uniqueItems: true } },
      required: ["items"],
    },
    output: { items: Array.from({ length: UNIQUE_ITEMS }, (_, number) => ({ number })) },
  }),
  call("an e-mail address against its tenant's own pattern", {
    tool: {
      input_schema: {
        type: "object",
        properties: { email: { type: "string", pattern: "^([a-zA-Z0-9_.+-]+)+@shop\\.example$" } },
      },
    },
    input: JSON.stringify({ email: "a".repeat(64) }),
  }),
  call("broken JSON that is slow to repair", {
    tool: {},
    input: `[${'"a" "b" '.repeat(BROKEN_PAIRS)}`,
  }),
  call("a long input under a thousand rules", {
    tool: { rule_argument: "/text", rule_syntax: "glob" },
    permission: {
      rules: Array.from({ length: RULES }, (_, number) => ({
        tool_name: TOOL,
        rule_content: `*customer-${number}*`,
        behavior: "deny",
        source: "bench",
      })),
    },
    input: JSON.stringify({ text: "customer-".repeat(RULED_INPUT_CHARACTERS / 9) }),
  }),
];

interface Structured {
  readonly schema: object;
  readonly output: object;
}

function structured(name: string, { schema, output }: Structured): Attack {
  return {
    name,
    async prepare({ attacker }) {
      const session = await attacker.openSession();
      const body = JSON.stringify({
        input: `/structured ${JSON.stringify(output)}\n/then\n/say done`,
        structured_schema: schema,
      });
      return async () => void (await attacker.send("POST", `${session}/replies`, body));
    },
  };
}

interface Call {
  readonly tool: object;
  readonly permission?: object;
  readonly input: string;
}

function call(name: string, { tool, permission, input }: Call): Attack {
  return {
    name,
    async prepare({ attacker, deepToolUrl: url }: AttackPlace) {
      const definition = { type: "http", name: TOOL, url, read_only: true, ...tool };
      const session = await attacker.openSession({ tools: [definition], permission });
      const body = JSON.stringify({ input: `/call ${TOOL} ${input}\n/then\n/say done` });
      return async () => void (await attacker.send("POST", `${session}/replies`, body));
    },
  };
}

function twice(): object {
  const deeper = { properties: { a: { $ref: "#/$defs/twice" } } };
  return { allOf: [deeper, deeper] };
}

function nested(levels: number): object {
  return levels === 0 ? {} : { a: nested(levels - 1) };
}
