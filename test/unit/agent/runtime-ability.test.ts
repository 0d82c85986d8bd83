// The agent's hint about the time.
import { describe, expect, it } from "vitest";

import { abilityHints } from "../../../agent/loop/ability-hints.ts";
import { modelContext } from "../../../agent/loop/model-context.ts";
import type { Model, ModelRequest, NewId } from "../../../agent/ports.ts";
import {
  RUNTIME_HINT_SOURCE,
  runtimeAbility,
  type Runtime,
} from "../../../agent/context/runtime-ability.ts";
import type { ReplyState } from "../../../agent/state/reply-state.ts";
import { AssistantMsg } from "../../../protocol/messages/constructors.ts";
import { RUNTIME_HINT_MAX_AGE_MS } from "../../../protocol/sessions/limits.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { playedModel } from "../../support/played-model.ts";
import { runScript } from "../../support/run-script.ts";

const START_MS = Date.parse("2026-01-01T00:00:00.000Z");
const lookup = { run: () => "found" };
const newId = (prefix: string) => `${prefix}_0`;

function runtimeHint(state: ReplyState, runtime: Runtime, id: NewId) {
  return abilityHints(state, [runtimeAbility(runtime)], id);
}

function at(time: string, time_zone: string) {
  return { time_zone, nowMs: () => Date.parse(time) };
}

function hintsOf({ events }: MemoryLog): readonly unknown[] {
  return events.flatMap((event) => (event.type === "HINT_BLOCK" ? [event.hint] : []));
}

describe("the time", () => {
  it.each([
    ["Europe/Berlin", "It is Saturday, 2026-11-21, 17:24 in Europe/Berlin (GMT+01:00)."],
    ["America/St_Johns", "It is Saturday, 2026-11-21, 12:54 in America/St_Johns (GMT-03:30)."],
    ["Asia/Tokyo", "It is Sunday, 2026-11-22, 01:24 in Asia/Tokyo (GMT+09:00)."],
    ["UTC", "It is Saturday, 2026-11-21, 16:24 in UTC (GMT+00:00)."],
  ])("is that of %s, with its date and its offset", (zone, hint) => {
    expect(runtimeHint(new MemoryLog().state, at("2026-11-21T16:24:00.000Z", zone), newId)).toEqual(
      [{ type: "HINT_BLOCK", reply_id: "rep_1", block_id: "blk_0", source: "runtime", hint }],
    );
  });

  it("follows the zone's summer time", () => {
    const hint = runtimeHint(
      new MemoryLog().state,
      at("2026-07-01T00:00:00.000Z", "Europe/Berlin"),
      newId,
    );

    expect(hint).toMatchObject([
      { hint: "It is Wednesday, 2026-07-01, 02:00 in Europe/Berlin (GMT+02:00)." },
    ]);
  });

  it("is told once before the first model call of a reply, and stands in its message", async () => {
    const requests: ModelRequest[] = [];
    const played = playedModel(
      "played",
      [{ tool_calls: [{ index: 0, id: "c1", name: "lookup", delta: "{}" }] }],
      [{ text: "Done." }],
    );
    const model: Model = {
      name: "played",
      stream(request, stop) {
        requests.push(request);
        return played.stream(request, stop);
      },
    };

    const log = await runScript({
      script: "",
      models: [model],
      tools: functionTools({ lookup }),
      runtime: { time_zone: "UTC", nowMs: () => START_MS },
    });

    expect([log.types.slice(0, 3), hintsOf(log).length, requests.length]).toEqual([
      ["REPLY_START", "HINT_BLOCK", "MODEL_CALL_START"],
      1,
      2,
    ]);
    expect(requests[0]!.messages.at(-1)!.content).toMatchObject([
      { type: "hint", source: RUNTIME_HINT_SOURCE },
    ]);
  });

  it("is not told without a time zone", async () => {
    expect(hintsOf(await runScript({ script: "say Hello" }))).toEqual([]);
  });

  it("is told again when a reply has waited for long", () => {
    const log = new MemoryLog();
    const told = (nowMs: number) =>
      runtimeHint(log.state, { time_zone: "UTC", nowMs: () => nowMs }, newId);
    log.append(told(START_MS));

    expect([
      told(START_MS + RUNTIME_HINT_MAX_AGE_MS - 1).length,
      told(START_MS + RUNTIME_HINT_MAX_AGE_MS).length,
    ]).toEqual([0, 1]);
  });

  it("of an earlier reply stays in its place, so that the request begins as the one before", () => {
    const told = AssistantMsg("Agent", [
      { type: "hint", source: RUNTIME_HINT_SOURCE, hint: "It is noon." },
      { type: "hint", source: "shop", hint: "It rains." },
      { type: "text", text: "Hello" },
    ]);

    expect(modelContext([told], told, [runtimeAbility(null)])).toEqual([told, told]);
  });
});
