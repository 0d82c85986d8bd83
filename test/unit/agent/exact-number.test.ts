// Numbers of more digits than a double has, on their way from the model's text to the tool.
import { describe, expect, it } from "vitest";

import {
  firstInexact,
  parseExact,
  withDigitsOf,
  withDoubles,
} from "../../../agent/exact-number.ts";
import { findMisfit } from "../../../agent/json-schema/find-misfit.ts";
import { isSameJson } from "../../../agent/json/is-same-json.ts";
import { checkCall } from "../../../agent/permission/check-call.ts";
import { prepareRequest } from "../../../tools/prepare-request.ts";
import { functionTools } from "../../support/function-tools.ts";
import { runScript } from "../../support/run-script.ts";

const TEXT = '{"order_id":2512292042121000001,"n":1}';
const INPUT = parseExact(TEXT);

describe("a whole number beyond 2^53", () => {
  // earendil-works/pi#8943, anthropics/claude-code#78762
  it.each(["2512292042121000001", "725653563933458432"])(
    "is sent to an http tool as it was written: %s",
    async (digits) => {
      const prepared = await prepareRequest(
        { type: "http", name: "pay", url: "https://shop.example/pay" } as never,
        {
          request: {
            tool_call_id: "call_1",
            name: "pay",
            input: parseExact(`{"id":${digits}}`),
            session_id: "ses_1",
            reply_id: "rep_1",
            end_user_id: null,
          },
          secrets: () => ({ ok: false, problem: "is not there" }) as never,
          nowMs: 0,
        },
      );

      expect(prepared.ok && prepared.init.body).toContain(`"input":{"id":${digits}}`);
    },
  );

  it("is an integer for a schema, within bounds", () => {
    const schema = (more: object) => ({ properties: { order_id: { type: "integer", ...more } } });
    const find = (more: object) =>
      findMisfit(INPUT, schema(more), { schemaName: "its schema" })?.cause ?? null;

    expect([
      find({}),
      find({ minimum: 1 }),
      find({ maximum: 5 }),
      find({ type: "string" }),
    ]).toEqual([null, null, "value", "value"]);
  });

  it("is matched by rules with its digits", () => {
    const behaviorOf = (rule_content: string) =>
      checkCall(
        {
          mode: "default",
          working_directories: [],
          rules: [{ tool_name: "pay", rule_content, behavior: "deny", source: "test" }],
        },
        {
          name: "pay",
          description: "",
          input_schema: {},
          read_only: true,
          concurrency_safe: true,
          idempotent: true,
          rule_argument: "/order_id",
        },
        INPUT,
      ).behavior;

    expect([behaviorOf("2512292042121000001"), behaviorOf("2512292042121000000")]).toEqual([
      "deny",
      "allow",
    ]);
  });

  it("is the same as the same digits alone", () => {
    expect(isSameJson(INPUT, parseExact('{"n":1,"order_id":2512292042121000001}'))).toBe(true);
    expect(isSameJson(INPUT, JSON.parse(TEXT))).toBe(false);
  });

  it("gets its digits back from who has changed something else as a double", () => {
    const changed = { ...(JSON.parse(TEXT) as object), n: 2 };

    expect(JSON.stringify(withDigitsOf(INPUT, changed))).toBe(
      '{"order_id":2512292042121000001,"n":2}',
    );
    expect(withDigitsOf(INPUT, { order_id: 7 })).toEqual({ order_id: 7 });
  });

  it("is a double for functions, where the double is equal", () => {
    expect(firstInexact(INPUT)).toBe("2512292042121000001");
    expect(firstInexact(parseExact('{"id":[725653563933458432]}'))).toBe(null);
    expect(withDoubles(parseExact('{"id":[725653563933458432]}'))).toEqual({
      id: [725653563933458432],
    });
  });

  it("reaches a tool's runner with its digits", async () => {
    const tools = functionTools({ pay: { run: (input) => JSON.stringify(input) } });
    const log = await runScript({ script: `/call pay ${TEXT}\n/say Done`, tools });

    expect(log.state.message.content.find(({ type }) => type === "tool_result")).toMatchObject({
      output: [{ text: TEXT }],
    });
  });
});
