// Agents that the participants of a room have called, as the clients of both profiles are told of them.
import { expect, it } from "vitest";

import type { RoomAgUiOptions } from "../../../protocol/dialects/ag-ui/rooms/room-translator.ts";
import { RoomAgUiTranslator } from "../../../protocol/dialects/ag-ui/rooms/room-translator.ts";
import type { AgUiEvent, AgUiInterrupt } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import { agent, RoomPlay, type PlaySetup } from "./room-play.ts";

function played(setup: Partial<PlaySetup> & Pick<PlaySetup, "script">): RoomPlay {
  const play = new RoomPlay({ members: [agent("ann"), agent("ben")], ...setup });
  play.say("eve", "Begin.");
  play.settle();
  return play;
}

function eventsOf(play: RoomPlay, options?: RoomAgUiOptions): readonly AgUiEvent[] {
  const translator = new RoomAgUiTranslator("room_1", options);
  return play.log.flatMap((event) => translator.push(event)).map(({ event }) => event);
}

/** Ids of turns and sessions by the names of those who speak there. */
function named(text: string, play: RoomPlay): string {
  let shown = text;
  for (const [name, { turns }] of play.sessions) {
    for (const id of turns.keys()) shown = shown.replaceAll(id, name.toUpperCase());
    shown = shown.replaceAll(`ses_rep_${name}_1`, "ses");
  }
  return shown;
}

function told(play: RoomPlay, events: readonly AgUiEvent[]): readonly string[] {
  return events
    .flatMap((event): string[] => {
      const lane = "subagentRunId" in event ? `${event.subagentRunId} ` : "";
      switch (event.type) {
        case "RUN_STARTED":
          return ["run"];
        case "RUN_FINISHED":
          return [`end ${event.outcome?.type ?? "-"}`];
        case "SUBAGENT_STARTED": {
          const { parentSubagentRunId: parent = "-", parentToolCallId: call = "-" } = event;
          return [`> ${lane}under ${parent} by ${call}`];
        }
        case "SUBAGENT_FINISHED": {
          const { outcome } = event;
          const ids = outcome.type === "suspended" ? (outcome.interruptIds ?? []).length : "";
          return [`< ${lane}${outcome.type} ${ids}`.trimEnd()];
        }
        case "SUBAGENT_ERROR":
          return [`< ${lane}${event.code}`];
        case "STEP_STARTED":
          return [`step ${event.stepName}`];
        case "STEP_FINISHED":
          return [`step ${event.stepName} ends`];
        case "TEXT_MESSAGE_CONTENT":
          return [`${lane}"${event.delta}"`];
        case "TOOL_CALL_RESULT":
          return [`${lane}result of ${event.toolCallId}`];
        default:
          return [];
      }
    })
    .map((text) => named(text, play));
}

const calling =
  (calls: "works" | "asks" | "nested"): PlaySetup["script"] =>
  (name) =>
    name === "ann" ? { calls } : {};

it("a called agent is a lane below the turn, under ids that no other turn has", () => {
  const play = played({ script: calling("works") });

  expect(told(play, eventsOf(play))).toEqual([
    "run",
    "> ANN under - by -",
    "> ANN:ses_x under ANN by ANN:rep_ann_1_h",
    'ANN:ses_x "Let "',
    'ANN:ses_x "me see."',
    'ANN:ses_x "Done."',
    "< ANN:ses_x success",
    "ANN result of ANN:rep_ann_1_h",
    'ANN "ann 1"',
    "< ANN success",
    "> BEN under - by -",
    'BEN "ben 1"',
    "< BEN success",
    "end success",
  ]);
});

it("its question is its own lane's, and the lanes go on in the run after the answer", () => {
  const play = played({ script: calling("nested") });
  const asked = eventsOf(play);
  const end = asked.at(-1);
  const [interrupt] = (
    end?.type === "RUN_FINISHED" && end.outcome?.type === "interrupt" ? end.outcome.interrupts : []
  ) as readonly [AgUiInterrupt];

  expect(told(play, asked).slice(-6)).toEqual([
    "> ANN:ses_y under ANN:ses_x by ANN:ses_x:n",
    'ANN:ses_y "I am below."',
    "< ANN:ses_y suspended 1",
    "< ANN:ses_x suspended 0",
    "< ANN suspended 0",
    "end interrupt",
  ]);
  expect(named(`${interrupt.subagentRunId} ${interrupt.toolCallId}`, play)).toBe(
    "ANN:ses_y ANN:ses_y:q",
  );

  play.sessions.get("ann")!.answer();
  play.settle();
  const after = told(play, eventsOf(play)).slice(told(play, asked).length);
  expect(after.slice(0, 5)).toEqual([
    "run",
    "> ANN under - by -",
    "> ANN:ses_x under ANN by ANN:rep_ann_1_h",
    "> ANN:ses_y under ANN:ses_x by ANN:ses_x:n",
    "ANN:ses_y result of ANN:ses_y:q",
  ]);
  expect(after.at(-1)).toBe("end success");
});

it("a turn that waits in a round at once has one lane for each agent in the run", () => {
  const play = new RoomPlay({
    members: [agent("ann"), agent("ben")],
    settings: { order: "parallel" },
    script: (name) => (name === "ann" ? { calls: "asks" } : { hangs: true }),
  });
  play.say("eve", "Begin.");
  play.settle();
  play.sessions.get("ann")!.answer();
  play.settle();

  const lines = told(play, eventsOf(play)).filter((line) => line.includes("ANN:ses_x"));
  expect(lines.filter((line) => line.startsWith(">"))).toHaveLength(1);
  expect(lines.filter((line) => line.startsWith("<"))).toEqual(["< ANN:ses_x success"]);
});

it("a reader who joins is told of the lanes that are open", () => {
  const play = played({ script: calling("works") });
  const cut = play.log.findIndex(
    (event) => event.type === "CUSTOM" && event.name === "subagent_event",
  );
  const translator = new RoomAgUiTranslator("room_1");
  for (const event of play.log.slice(0, cut + 1)) translator.push(event);

  expect(told(play, translator.join())).toEqual([
    "run",
    "> ANN under - by -",
    "> ANN:ses_x under ANN by ANN:rep_ann_1_h",
  ]);
});

it("a client of before 1.0 sees it as a step of its caller, without its words", () => {
  const play = played({ script: calling("nested") });
  const asked = eventsOf(play, { profile: "0.0" });
  const end = asked.at(-1);

  expect(told(play, asked)).toEqual([
    "run",
    "step ann",
    "step agent:ANN:ses_x",
    "step agent:ANN:ses_y",
    "step agent:ANN:ses_y ends",
    "step agent:ANN:ses_x ends",
    "step ann ends",
    "end interrupt",
  ]);
  // The question is one about the call of the participant.
  const [interrupt] =
    end?.type === "RUN_FINISHED" && end.outcome?.type === "interrupt" ? end.outcome.interrupts : [];
  expect(named(`${interrupt?.subagentRunId} ${interrupt?.toolCallId}`, play)).toBe(
    "undefined ANN:rep_ann_1_h",
  );

  play.sessions.get("ann")!.answer();
  play.settle();
  const after = told(play, eventsOf(play, { profile: "0.0" })).slice(told(play, asked).length);
  expect(after).toEqual([
    "run",
    "step ann",
    "step agent:ANN:ses_x",
    "step agent:ANN:ses_y",
    "step agent:ANN:ses_y ends",
    "step agent:ANN:ses_x ends",
    "result of ANN:rep_ann_1_h",
    '"ann 1"',
    "step ann ends",
    "step ben",
    '"ben 1"',
    "step ben ends",
    "end success",
  ]);
});
