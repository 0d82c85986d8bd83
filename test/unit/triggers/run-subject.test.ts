// The places that a payload fills in: the input by its template, the end user, and the session that goes on.
import { describe, expect, it } from "vitest";

import { fillInput } from "../../../agent/triggers/fill-input.ts";
import { readSubject } from "../../../agent/triggers/run-subject.ts";
import type { TriggerDefinition } from "../../../protocol/triggers/contract.ts";
import { MAX_INPUT_PLACEHOLDERS, MAX_RUN_INPUT_BYTES } from "../../../protocol/triggers/limits.ts";
import { findPayloadProblem } from "../../../protocol/triggers/payload-template.ts";
import { utf8Bytes } from "../../../protocol/utf8-bytes.ts";

type Subjects = Parameters<typeof readSubject>[0];

const PAYLOAD = {
  issue: { title: "Lamp {broken}", number: 7, labels: ["bug", "lamp"], "a/b": "slash", body: null },
  sender: { id: 42, login: "ann" },
};

function subject(more: Partial<Subjects> = {}): Subjects {
  return {
    input: "Look at {issue/title}.",
    session: { mode: "new" },
    end_user_id: null,
    returns_untrusted: true,
    ...more,
  };
}

function read(more: Partial<Subjects> = {}, payload: unknown = PAYLOAD) {
  return readSubject(subject(more), { hasWebhook: true, payload });
}

function inputOf(input: TriggerDefinition["input"], payload: unknown = PAYLOAD): unknown {
  const reading = read({ input }, payload);
  return reading.ok ? reading.subject.input : reading.problem;
}

function textOf(template: string, payload: unknown): string {
  const { input } = fillInput(template, payload);
  return typeof input === "string" ? input : "";
}

describe("the input of a run", () => {
  it.each([
    ["Look at {issue/title}.", "Look at Lamp {broken}."],
    ["#{issue/number} by {sender/login}", "#7 by ann"],
    ["{issue/labels}, first {issue/labels/0}", '["bug","lamp"], first bug'],
    ["{issue/a~1b} {{braces}}", "slash {braces}"],
    ["Body: {issue/body}{issue/nothing}{nobody/name}", "Body: "],
    ["{issue/title/length}{issue/__proto__}{issue/constructor/name}x", "x"],
  ])("%s becomes %s", (template, text) => {
    expect(inputOf(template)).toBe(text);
  });

  it("has its blocks filled in one by one", () => {
    const blocks = [
      { type: "text", id: "b_1", text: "An issue: {issue/title}" },
      { type: "text", id: "b_2", text: "Be short." },
    ] as const;

    expect(inputOf(blocks as unknown as TriggerDefinition["input"])).toEqual([
      { type: "text", id: "b_1", text: "An issue: Lamp {broken}" },
      { type: "text", id: "b_2", text: "Be short." },
    ]);
  });

  it("is text as it is without a webhook", () => {
    const reading = readSubject(subject({ input: "Write {name}" }), { hasWebhook: false });

    expect(reading).toMatchObject({
      ok: true,
      subject: { input: "Write {name}", is_untrusted: false },
    });
  });

  it("is untrusted where a value of the payload is in it, unless the trigger vouches for it", () => {
    const untrusted = [
      read(),
      read({ returns_untrusted: false }),
      read({ input: "A new issue." }),
      read({ input: "A new issue. {issue/nothing}" }),
    ].map((reading) => reading.ok && reading.subject.is_untrusted);

    expect(untrusted).toEqual([true, false, false, false]);
  });

  it("has to be something", () => {
    expect(read({ input: "{issue/nothing}" })).toEqual({
      ok: false,
      problem: "the payload leaves the input empty",
    });
  });

  it("has 64 KB at most: the longest values lose their ends, and the trigger's own words stay", () => {
    const payload = { long: "ä".repeat(200_000), longer: "x".repeat(300_000), short: "ann" };
    const text = textOf("Of {short}: {long} / {longer}. Answer in one line.", payload);

    expect(utf8Bytes(text)).toBeLessThanOrEqual(MAX_RUN_INPUT_BYTES);
    expect(utf8Bytes(text)).toBeGreaterThan(MAX_RUN_INPUT_BYTES - 20);
    expect(text).toMatch(/^Of ann: ä+… \/ x+…\. Answer in one line\.$/);
  });

  it("names a member of a megabyte many times, at the cost of one", () => {
    const rows = Array.from({ length: 40_000 }, (_, index) => `value ${index}`);
    const template = Array.from({ length: MAX_INPUT_PLACEHOLDERS }, () => "{rows}").join(" ");
    const text = textOf(template, { rows });

    expect(utf8Bytes(text)).toBeLessThanOrEqual(MAX_RUN_INPUT_BYTES);
    expect(text.split("…")).toHaveLength(MAX_INPUT_PLACEHOLDERS + 1);
  });

  it("leaves what fits as it is, whatever its share", () => {
    const payload = { long: "x".repeat(60_000), short: "y".repeat(5_000) };

    expect(textOf("{long}{short}", payload)).toBe(payload.long + payload.short);
  });
});

describe("the end user and the session of a run", () => {
  it("are fixed, or in the payload, with a prefix of the trigger's own", () => {
    const pointed = read({
      session: { mode: "keyed", key: { pointer: "/issue/number" } },
      end_user_id: { pointer: "/sender/login", prefix: "github:" },
    });
    const fixed = read({
      session: { mode: "keyed", key: { value: "daily" } },
      end_user_id: "ann",
    });

    expect(pointed).toMatchObject({
      subject: { session_key: "7", end_user_id: "github:ann" },
    });
    expect(fixed).toMatchObject({ subject: { session_key: "daily", end_user_id: "ann" } });
    expect(read()).toMatchObject({ subject: { session_key: null, end_user_id: null } });
  });

  it.each(["/issue", "/issue/labels", "/issue/body", "/nobody", "/sender/id/x"])(
    "cannot be what is at %s",
    (pointer) => {
      const key = read({ session: { mode: "keyed", key: { pointer } } });
      const user = read({ end_user_id: { pointer, prefix: "github:" } });

      expect(key).toEqual({
        ok: false,
        problem: `the payload has no text and no whole number at ${pointer}, where the key of the session is`,
      });
      expect(user).toMatchObject({ ok: false });
    },
  );

  it("have names of some length", () => {
    const payload = { name: "x".repeat(201) };
    const key = read(
      { input: "x", session: { mode: "keyed", key: { pointer: "/name" } } },
      payload,
    );
    const user = read(
      { input: "x", end_user_id: { pointer: "/name", prefix: "g:" } },
      { name: "x".repeat(199) },
    );

    expect([key.ok, user.ok]).toEqual([false, false]);
  });
});

describe("a definition", () => {
  const problem = (more: Partial<Subjects>, hasWebhook = true) =>
    findPayloadProblem(subject(more), hasWebhook);

  it("has a template that can be read, if it has a webhook", () => {
    expect(problem({})).toBeNull();
    expect(problem({ input: "Hello {name" })).toMatchObject({ pointer: "#/input" });
    expect(problem({ input: "Hello {}" })).toMatchObject({ pointer: "#/input" });
    expect(problem({ input: "Hello {name" }, false)).toBeNull();
    expect(
      problem({
        input: [
          { type: "text", text: "x" },
          { type: "text", text: "{" },
        ] as unknown as string,
      }),
    ).toMatchObject({ pointer: "#/input/1/text" });
  });

  it("has so many placeholders, and so many bytes", () => {
    const many = "{a}".repeat(MAX_INPUT_PLACEHOLDERS);

    expect(problem({ input: many })).toBeNull();
    expect(problem({ input: `${many}{b}` })?.detail).toContain("placeholders, has 51");
    expect(problem({ input: "€".repeat(22_000) })?.detail).toContain("has 66000 bytes");
  });

  it("points into a payload only if it has a webhook", () => {
    const session = { mode: "keyed", key: { pointer: "/issue/number" } } as const;
    const end_user_id = { pointer: "/sender/login", prefix: "github:" };

    expect(problem({ session, end_user_id })).toBeNull();
    expect(problem({ session }, false)?.pointer).toBe("#/session/key/pointer");
    expect(problem({ end_user_id }, false)?.pointer).toBe("#/end_user_id/pointer");
    expect(
      problem({ session: { mode: "keyed", key: { value: "x" } }, end_user_id: "ann" }, false),
    ).toBeNull();
  });
});
