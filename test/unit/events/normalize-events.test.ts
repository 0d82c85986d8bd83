import { describe, expect, it } from "vitest";

import { PostedEventSchema } from "../../../protocol/events/contract.ts";
import {
  normalizeAnswersBody,
  normalizeEventBody,
} from "../../../worker/requests/normalize-input.ts";

const AT = "2026-11-21T09:30:00.000Z";
const base = { id: "e1", created_at: AT, metadata: {}, reply_id: "rep_1" };

function parse(body: unknown) {
  return PostedEventSchema.parse(normalizeEventBody(body));
}

describe("the body of POST …/events", () => {
  it.each<[string, object]>([
    [
      "a call's id alone",
      {
        type: "USER_CONFIRM_RESULT",
        reply_id: "rep_1",
        confirm_results: [{ confirmed: true, tool_call: { id: "call_1", created_at: AT } }],
      },
    ],
    [
      "AgentScope's block",
      {
        type: "USER_CONFIRM_RESULT",
        reply_id: "rep_1",
        confirm_results: [
          {
            confirmed: true,
            tool_call: {
              type: "tool_call",
              id: "call_1",
              state: "pending",
              suggested_rules: [],
              created_at: AT,
              finished_at: null,
              await_user_confirmation: true,
            },
            rules: null,
          },
        ],
      },
    ],
    [
      "the first alpha's and Java's names",
      {
        type: "USER_CONFIRM_RESULT",
        replyId: "rep_1",
        confirmResults: [
          { confirmed: true, toolCall: { type: "tool_use", id: "call_1", createdAt: AT } },
        ],
      },
    ],
    [
      "Java's names with no more than an id",
      {
        type: "USER_CONFIRM_RESULT",
        replyId: "rep_1",
        confirmResults: [{ confirmed: true, toolCall: { id: "call_1", createdAt: AT } }],
      },
    ],
  ])("takes %s", (_, body) => {
    expect(parse({ ...body, id: "e1", created_at: AT })).toEqual({
      ...base,
      type: "USER_CONFIRM_RESULT",
      confirm_results: [
        {
          confirmed: true,
          tool_call: {
            type: "tool_call",
            id: "call_1",
            state: "pending",
            suggested_rules: [],
            created_at: AT,
            finished_at: null,
          },
          rules: null,
        },
      ],
    });
  });

  it("makes text of an edit that is given as an object", () => {
    const event = parse({
      type: "USER_CONFIRM_RESULT",
      reply_id: "rep_1",
      confirm_results: [{ confirmed: true, tool_call: { id: "c", input: { amount: 1 } } }],
    });

    expect(event.type === "USER_CONFIRM_RESULT" && event.confirm_results[0]?.tool_call.input).toBe(
      '{"amount":1}',
    );
  });

  it("takes an older picture in a result that says no more than its call", () => {
    const event = parse({
      type: "EXTERNAL_EXECUTION_RESULT",
      reply_id: "rep_1",
      execution_results: [
        {
          id: "call_1",
          state: "ERROR",
          output: [
            { type: "image", source: { type: "base64", data: "aGk=", mime_type: "image/gif" } },
          ],
        },
      ],
    });

    expect(event).toMatchObject({
      execution_results: [
        {
          type: "tool_result",
          id: "call_1",
          state: "error",
          output: [
            { type: "data", source: { type: "base64", data: "aGk=", media_type: "image/gif" } },
          ],
        },
      ],
    });
  });

  it("reaches each event of a request to many sessions", () => {
    const body = {
      answers: [{ session_id: "s", event: { type: "USER_INTERRUPT", replyId: "r" } }],
    };

    expect(normalizeAnswersBody(body)).toEqual({
      answers: [{ session_id: "s", event: { type: "USER_INTERRUPT", reply_id: "r" } }],
    });
  });

  it.each([null, 7, "x", [], [{}], { confirm_results: 7 }, { confirm_results: [null, 7] }])(
    "leaves %j to the schema",
    (body) => {
      expect([
        PostedEventSchema.safeParse(normalizeEventBody(body)).success,
        PostedEventSchema.safeParse(normalizeAnswersBody(body)).success,
      ]).toEqual([false, false]);
    },
  );
});
