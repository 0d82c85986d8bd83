// The definition that the editor of agents sends, and its search for differences.
import fc from "fast-check";
import { expect, test } from "vitest";

import { diffLines } from "../../../console/components/diff/diff-lines.ts";
import {
  initialValue,
  resolveSchema,
  variantsOf,
  withoutNull,
  type Definitions,
} from "../../../console/components/schema-form/json-schema.ts";
import { parseJsonText } from "../../../console/components/schema-form/parse-json-text.ts";
import { pathOf, pointerOf, setAt } from "../../../console/components/schema-form/pointers.ts";
import { AGENT_EXAMPLES } from "../../../console/pages/agent/agent-examples.ts";
import { changesBetween, definitionIn } from "../../../console/pages/agent/definition.ts";
import { findChanges } from "../../../console/pages/agent/find-changes.ts";
import { buildOpenApiDocument } from "../../../openapi/build-open-api-document.ts";
import { AgentCreateSchema, AgentUpdateSchema } from "../../../protocol/agents/contract.ts";

test("every example is a definition that the platform takes", () => {
  const refused = AGENT_EXAMPLES.filter(
    ({ definition }) => !AgentCreateSchema.safeParse(definition).success,
  );

  expect(refused).toEqual([]);
});

test("every member that may be left out can be taken away: what is sent for it is valid", () => {
  const members = Object.keys(AgentUpdateSchema.shape).filter(
    (name) => name !== "name" && name !== "model",
  );
  const before = Object.fromEntries(members.map((name) => [name, "set"]));
  const changes = changesBetween(before, {});

  expect(Object.keys(changes).sort()).toEqual(members.sort());
  expect(AgentUpdateSchema.safeParse(changes).error?.issues ?? []).toEqual([]);
});

test("what is sent turns one definition into the other, without what is equal", () => {
  const before = { name: "A", tools: [{ name: "x", type: "code" }], metadata: { a: 1, b: 2 } };
  const after = { name: "B", tools: [{ type: "code", name: "x" }], metadata: { b: 2, a: 1 } };

  expect(changesBetween(before, after)).toEqual({ name: "B" });
  expect(
    definitionIn({ ...before, id: "agt_1", version: 2, created_at: "", updated_at: "" }),
  ).toEqual(before);
});

test("tools are compared by their names, also when their order changes", () => {
  const before = { tools: [{ name: "a", timeout_ms: 1 }, { name: "b" }] };
  const after = { tools: [{ name: "b" }, { name: "a", timeout_ms: 2 }, { name: "c" }] };

  expect(findChanges(before, after)).toEqual([
    { place: ["tools", "a", "timeout_ms"], before: 1, after: 2 },
    { place: ["tools", "c"], before: undefined, after: { name: "c" } },
  ]);
  expect(
    findChanges(
      { tools: [{ name: "a" }, { name: "b" }] },
      { tools: [{ name: "b" }, { name: "a" }] },
    ),
  ).toHaveLength(1);
  expect(findChanges(before, structuredClone(before))).toEqual([]);
});

test("the lines of a difference give both texts back, with no more edits than needed", () => {
  const line = fc.constantFrom("a", "b", "c");
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (before, after) => {
      const lines = diffLines(before, after);
      const textOf = (left: string) =>
        lines.filter(({ kind }) => kind !== left).map(({ text }) => text);
      expect(textOf("added")).toEqual(before);
      expect(textOf("removed")).toEqual(after);
    }),
  );

  expect(diffLines(["a", "b", "c"], ["a", "x", "c"]).map(({ kind }) => kind)).toEqual([
    "same",
    "removed",
    "added",
    "same",
  ]);
});

test("texts without a common line are shown as one taken away and one added", () => {
  const before = Array.from({ length: 2_000 }, (_, index) => `before ${index}`);
  const after = Array.from({ length: 2_000 }, (_, index) => `after ${index}`);
  const lines = diffLines(before, after);

  expect(lines.slice(0, 2_000).every(({ kind }) => kind === "removed")).toBe(true);
  expect(lines.slice(2_000).every(({ kind }) => kind === "added")).toBe(true);
});

test("a place of a value is set without touching the rest, and found by its pointer", () => {
  const value = { tools: [{ name: "a" }, { name: "b" }], "x/y": 1 };

  expect(setAt(value, ["tools", 1, "name"], "c")).toEqual({
    tools: [{ name: "a" }, { name: "c" }],
    "x/y": 1,
  });
  expect(setAt(value, ["tools", 0], undefined)).toEqual({ tools: [{ name: "b" }], "x/y": 1 });
  expect(setAt(value, ["x/y"], undefined)).toEqual({ tools: value.tools });
  expect(setAt({}, ["__proto__"], 1)).toEqual(JSON.parse('{"__proto__": 1}'));
  expect(pointerOf(["tools", 0, "x/y~ü"])).toBe("#/tools/0/x~1y~0%C3%BC");
  expect(pathOf("#/tools/0/x~1y~0%C3%BC")).toEqual(["tools", "0", "x/y~ü"]);
  expect(pathOf("#/%")).toEqual(["%"]);
});

test("an added member begins with its default, or with its required members", () => {
  const { components } = buildOpenApiDocument() as unknown as {
    components: { schemas: Definitions };
  };
  const { schemas } = components;
  const { properties = {} } = resolveSchema({ $ref: "#/components/schemas/AgentCreate" }, schemas);
  const added = (name: string) => initialValue(properties[name] ?? {}, schemas);

  expect(added("context")).toEqual({});
  expect(added("on_interrupt")).toEqual({ type: "none" });
  expect(initialValue({ $ref: "#/components/schemas/HttpToolInput" }, schemas)).toEqual({
    type: "http",
    name: "",
    url: "",
  });
  expect(resolveSchema({ $ref: "#/components/schemas/constructor" }, schemas)).toEqual({});
});

test("a choice that may be null is a choice of its variants", () => {
  const { components } = buildOpenApiDocument() as unknown as {
    components: { schemas: Definitions };
  };
  const { schemas } = components;
  const { properties = {} } = resolveSchema({ $ref: "#/components/schemas/AgentCreate" }, schemas);
  const voice = withoutNull(properties["voice"] ?? {}, schemas);
  const { name, variants } = variantsOf(voice, schemas) ?? {};

  expect([name, ...(variants?.keys() ?? [])]).toEqual(["mode", "cascade", "realtime"]);
  expect(initialValue(voice, schemas)).toEqual({
    mode: "cascade",
    transcription: { provider: "scripted" },
    speech: { provider: "scripted" },
  });
});

test("a text that is no JSON says in which line", () => {
  expect(parseJsonText('{\n"a": 1,\n}', false)).toEqual({
    ok: false,
    problem: "This is not JSON: line 3.",
  });
  expect(parseJsonText(" ", true)).toEqual({ ok: true, value: undefined });
  expect(parseJsonText("", false).ok).toBe(false);
});
