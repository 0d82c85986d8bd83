// An interrupt of a client that may not end replies of others.
import { describe, expect, it } from "vitest";

import { errorsOf, only, VoicePlay } from "./voice-play.ts";

const bound = { type: "interrupt", only_spoken: true } as const;

function logged(play: VoicePlay, reply_id: string): void {
  play.log({ type: "REPLY_START", reply_id }, { type: "MODEL_CALL_START", reply_id });
}

describe("an interrupt without the right to end replies of others", () => {
  it.each([
    ["that was named", { reply_id: "rep_1" }],
    ["that is open", {}],
  ])("ends a reply of its own %s, whatever it does", (_, members) => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.begin(1, "rep_1");
    play.endCall("rep_1");
    expect(play.tell({ ...bound, ...members })).toEqual([
      { type: "interrupt_reply", reply_id: "rep_1" },
    ]);
  });

  it.each([
    ["that was named", { reply_id: "rep_9" }],
    ["that is open", {}],
  ])("does not end one of others %s, and is told why", (_, members) => {
    const play = new VoicePlay().open();
    logged(play, "rep_9");
    const effects = play.tell({ ...bound, ...members, ref: "one" });
    expect(effects).toEqual([
      {
        type: "send",
        frame: {
          type: "error",
          code: "verb_missing",
          detail: expect.stringContaining("interrupt"),
          ref: "one",
        },
      },
    ]);
  });

  it("ends what is said, when others have a reply open", () => {
    const play = new VoicePlay().open();
    play.speak("in_1");
    play.begin(1, "rep_1");
    play.say("rep_1", "One two three");
    play.endCall("rep_1");
    play.endReply("rep_1");
    logged(play, "rep_9");
    const effects = play.tell(bound);
    expect([only(effects, "interrupt_reply"), errorsOf(effects)]).toEqual([[], ["verb_missing"]]);
    expect(effects).toContainEqual({ type: "send", frame: { type: "audio_clear", item: 2 } });
  });

  it("ends its own as soon as that is said to have begun, and no other", () => {
    const play = new VoicePlay().open();
    play.tell({ type: "text", text: "Hello" });
    logged(play, "rep_1");
    const early = play.tell(bound);
    const begun = play.tell({ type: "reply_begun", turn: 1, reply_id: "rep_1", message_id: null });
    expect([early, only(begun, "interrupt_reply")]).toEqual([
      [],
      [{ type: "interrupt_reply", reply_id: "rep_1" }],
    ]);
  });

  it("is nothing when no reply is open", () => {
    expect(new VoicePlay().open().tell(bound)).toEqual([]);
  });
});
